"""
 >>>undefined
"""


def a():
    """
    >>> x
      wrong
   >>> y
    """


def b():
    """
    >>> def f():
    ...     pass
    ...   undefined
    """


def c():
    """
    >>> x = 1
    ...undefined
    """


def d(): ">>> undefined"


def e():
    """a \
    >>> undefined
    """


def f():
    """a

    >>> undefined
    """ "b"


def g():
    """\n>>> undefined\n\n>>> undefined"""


def h():
    """
    >>> class A:
    ...     x: undefined
    ...     def method(self) -> 'undefined': pass
    >>> A
    >>> del A, A
    >>> __all__ = ['missing']
    >>> import i.j
    """


class I:
    x = 1
    """
    >>> undefined
    """

    class J:
        """
        >>> x, J, I
        """

        def k(self):
            '''
            >>> def m(n: 'undefined', o: 'a b'):
            ...     p = 1
            '''
