#!/bin/sh
# comment
"""Doc."""
# comment
from __future__ import annotations
import b
__all__ = ['c']
__version__: str = '1'
if d:
    e = 1
    import f
try:
    import g
except H:
    g = None
with i:
    pass
import j
k = 1
if m:
    import n
