"""Star imports where they are forbidden."""


def function():
    from os import *
    from . import *
    return getcwd()


class Class:
    from os.path import *
    x = join


async def coroutine():
    if function:
        from .sibling import *
lambda: 0
