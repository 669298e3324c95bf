class A:
    @b
    def c(self): ...
    @b
    def c(self, d): ...
    def c(self, d=1):
        return d
    @property
    def e(self): return 1
    @e.setter
    def e(self, f): self.f = f
    def g(self): return 1
    async def h(self): return 2
    class I: pass
    j = 1
    def k(self): return 3
    m = 1
    @n
    @o
    def p(self):
        return 4
    def q(
        self
    ): return 5
    def r(self): return """
    """
    def s(self):
        """Doc."""
    t = 1
    class U(V): pass
    class W(X):
        pass
    "not the docstring"
    def y(self):
        pass
    z = 1
    u"no docstring either"
    def a(self):
        pass
    rb'bytes' + b
    def b(self):
        pass
    f'f-string'
    def c(self):
        pass
    R'upper'
    def d(self):
        pass
    ur_ = 1
    "x"; e = 1
    def f(self):
        pass
