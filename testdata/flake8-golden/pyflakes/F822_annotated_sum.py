__all__: list = ['a'] + ['b'] + other + ['c']


def function():
    __all__ = ['d']
    return __all__
if __all__:
    __all__ = ['e'] + [f]
