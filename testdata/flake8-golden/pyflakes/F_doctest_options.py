def a():
    """
    >>> # doctest:
    ... b +SKIP
    >>> q
    """


def b():
    """
    >>> # doctest:
    ... 'b' +SKIP
    >>> q
    """


def c():
    """
    >>> x #
    ...   doctest: SKIP
    """


def d():
    """
    >>> q # doctest:
    ...
    ...    +SKIP,
    """


def e():
    """
    >>> q # doctest: SKIP '# doctest: SKIP
    ... + "" # doctest:
    ...
    """


def f():
    """
    >>> q # doctest: '
    ... + r # doctest: -SKIPS
    """
