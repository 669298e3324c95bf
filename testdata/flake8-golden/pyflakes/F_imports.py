"""Imports in all places, used from all places."""
import a
import b as b2
from c import d
from c import e as e2, f
import g.h, g.i
import j.k as k


def function(x: a = b2, *y: d) -> e2:
    global m
    import m
    import n, o
    from p import q
    n.x = 1
    del o

    def inner():
        nonlocal q
        q = 2
        return f
    return inner


class Class(g.h.Base):
    import r
    from s import t
    u = t

    def method(self, r: r) -> t:
        return self.r, k, v


import v
if v:
    import w
else:
    w = None
try:
    import x
except ImportError:
    x = y = None
for z in []:
    import z2
print([i for i in [] if z2], f'{x}', m)
import a
from c import d as a
