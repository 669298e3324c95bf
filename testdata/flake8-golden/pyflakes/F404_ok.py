"""A docstring."""
# a comment
'a string'
from __future__ import annotations
b'bytes'
