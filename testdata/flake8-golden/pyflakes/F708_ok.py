"""Lazy imports at module level, within whatever is no try."""
lazy import os
lazy import os.path as path, sys
lazy from os import sep
lazy from .. import ham

if __name__:
    lazy import a
elif __file__:
    lazy import b
else:
    lazy import c
with open(__file__):
    lazy import d
for x in range(2):
    lazy import e
while not x:
    lazy import f
match x:
    case 1:
        lazy import g
lazy = 1
lazy, = lazy,


def function():
    import os.path
    lazy = os.path
    return lazy, path, sys, sep, ham, a, b, c, d, e, f, g
