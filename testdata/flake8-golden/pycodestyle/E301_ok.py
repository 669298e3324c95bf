class A:

    def b(self):
        pass

    c = 1

    def d(self):
        pass

    # comment
    def e(self):
        pass

    # comment

    def f(self):
        pass

    @g
    # comment
    def h(self):
        pass


class I:
    """Doc."""
    def j(self):
        pass


class K:
    def m(self): pass
    def n(self): pass
    @o
    def p(self): pass


class Q:
    # comment
    def r(self):
        pass
