import os
import sys  # noqa: H3, F401
import re, json


def f(x):
    y = lambda: x;
    if x: pass
    return y


def longer(xs=[]):  # noqa: H100
    """Do it."""
    pass
    return [spam for spam in xs]  # noqa


class A:
    def g(self):
        spam = f'{self}'
        return """a
        b""";
