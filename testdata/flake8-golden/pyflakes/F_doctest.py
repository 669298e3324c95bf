"""A module.

>>> import os
>>> function()
>>> undefined
>>> x = 1
"""
import sys


def function():
    """A function.

    >>> os
    >>> x
    >>> import json
    >>> import sys
    >>> sys
    >>> function, Class, other
    >>> _
    >>> _ = 1
    >>> def f():
    ...     y = 1
    ...     return undefined
    >>> [z for z in z]
    >>> from math import *
    >>> sqrt
    """


class Class:
    """A class.

    >>> Class().method
    >>> from __future__ import annotations
    >>> x: 'a b' = 1
    >>> global x
    >>> return
    >>> yield 1
    >>> break
    >>> '%s %s' % (1,)
    >>> x is 'a'
    """

    def method(self):
        """A method.

        >>> try:
        ...     pass
        ... except ValueError as e:
        ...     pass
        >>> def f():
        ...     '''
        ...     >>> undefined
        ...     '''
        """

    def tabs(self):
        """
	>>> undefined
        >>> undefined
    	>>> undefined
        """


def other():
    """
    >>> é, undefined
    >>> if undefined:
    ...     undefined
    ... else:
    ...     undefined
    >>> (undefined,
    ... undefined)
    >>> undefined  # doctest: +SKIP
    """
    def inner():
        """
        >>> undefined
        """
    return inner
