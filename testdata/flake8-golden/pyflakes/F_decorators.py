"""Decorators see the scope around, and use what they name."""
import functools
import unused


@functools.lru_cache(maxsize=undefined)
@later
@unknown.attribute
def function(self): return self


@function
@function(lambda x: y)
class Class:
    @property
    def x(self): pass

    @x.setter
    def x(self, value): pass

    @function
    @Class
    @staticmethod
    def method(): pass

    @unused_too
    async def coroutine(self): pass

    @method.register
    def _(self): pass

    @method.register
    def _(self): pass


def later(): pass


@(yield_ := function)
def walrus(): pass


def outer():
    @inner
    def function(): pass

    @(inner := function)
    def other(): pass
