"""The ways to build __all__ that count, and those that do not."""
import a
import b
import c
import d
import e
import f

__all__ = ['a'] + ['b'] + ('c',) + [d.__name__, 'd']


def function():
    __all__ = ['e']
    import g
    return __all__


class Class:
    __all__ = ['f']
