def a():
    def b():
        pass

    def c():
        pass

    d = 1

    @e
    def f():
        pass


def g():
    """Doc."""
    def h():
        pass


def i():
    # comment
    def j():
        pass


def k():
    def m(): pass
    def n(): pass
    class O: pass
