"""Doc."""
import a
b = 1
import c
from d import e
if f:
    import g
import h
def i():
    import j


import k  # noqa
import m  # noqa: E402
import n  # noqa: W
from . import o
from.p import q
import r; import s
t = 1; import u
importance = 1
import\
    v
__all__ = ['w']
import x
from  y import z
import	a
