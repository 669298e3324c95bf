lazy import spam
lazy from spam import eggs


def function():
    lazy import os
    lazy import os.path as path, sys
    lazy from os import sep
    lazy from . import ham
    lazy from os import *
    return os, path, sys, sep, ham


class Class:
    lazy import os
    if spam:
        lazy from os import sep

    def method(self):
        lazy import os
        return os, self, sep


async def coroutine():
    async with eggs:
        lazy import os


try:
    lazy import json
except ImportError:
    lazy import simplejson as json
else:
    lazy import a
finally:
    lazy import b

try:
    with spam():
        for x in eggs():
            lazy import c
except* ValueError:
    if x:
        lazy from d import *
print(json, a, b, c)
