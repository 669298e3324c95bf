"""Definitions that were used, are conditional, or belong together."""
import os
import functools


def a(): pass
a()
def a(): pass


@functools.wraps(a)
def a(): pass


class Class:
    @property
    def x(self): return 1

    @x.setter
    def x(self, value): pass

    @x.deleter
    def x(self): pass

    def y(self): pass
    y = staticmethod(y)

    def os(self): pass


def z(): pass


del z
def z(): pass


def _(): pass
def _(): pass


b = 1
print(b)
def b(): return b


def function(a):
    def b(): return a
    os = b
    return os


try:
    import json
except ImportError:
    json = None
print(os)
