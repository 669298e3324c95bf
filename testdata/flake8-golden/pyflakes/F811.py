import os
import sys


def os(): pass


def function(): pass
def function(): pass


class Class:
    def method(self): pass
    def method(self): pass

    attribute = 1
    def attribute(self): pass

    def assigned(self): pass
    assigned = 1

    class Inner: pass
    class Inner: pass

    import module
    import module


class function: pass
class Class: pass


def outer():
    def inner(): pass
    def inner(): pass
    from a import b
    from c import b
    import sys
    return inner, b, sys


async def outer(): pass
import outer
