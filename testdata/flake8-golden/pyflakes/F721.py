"""A module.

>>> 1 +
"""


def function():
    """A function.

    >>> x = (
    >>> print 1
    1
    >>> right
    >>> for x in []:
    ... pass
        >>> indented = )
    >>> 'é' é
    >>> def f(:
    ...     pass
    """

    def inner():
        """Not looked at.

        >>> x = (
        """


class Class:
    """A class.  >>> 1 +

    >>> 1 +
    """

    async def method(self):
        r"""A method.

        >>> '\d' \d
        """

    class Inner:
        """A class in a class.

        >>> x x
        """

        def method(self):
            """And its method.

            >>> $
            """
