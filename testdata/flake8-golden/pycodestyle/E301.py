class A:
    b = 0
    def c(self):
        pass
    def d(self):
        pass
    # comment
    def e(self):
        pass
    @f
    def g(self):
        pass
    async def h(self):
        pass
    class I:
        j = 1
        def k(self):
            pass
    m = 1
    class N:
        pass
    if o:
        p = 1
        def q(self):
            pass

        r = 1
        @s
        def t(self):
            pass

    # comment, blank line above

    # another directly above
    def u(self):
        pass

    v = 1
    # comment

    # comment
    def w(self):
        pass
class X:
    y = 1
    def z(self): pass
    a = 1
    def b(self): pass
    def c(self):
        pass
