"""Strings and calls that only look like uses."""
import a
import b
import c
exec('a')
eval('b')
globals()['c']
getattr(undefined, 'd')
vars()


def function():
    x = 1
    y = 2
    exec('x')
    return eval('y')


"""a"""
# b
#: c
