"""A module.

>>> 1 + 1
2
"""


def function():
    """A function.

    >>> x = 1
    >>> for y in [x]:
    ...     print(y)
    ...
    1
    >>> print('''a
    ... b''')
    ... # a comment
    not python at all (
    """
    '''
    >>> 1 +
    '''


class Class:
    '''>>> print(1)
    1
    '''
    x = """
    >>> 1 +
    """

    def method(self):
        f"""
        >>> 1 +
        """
