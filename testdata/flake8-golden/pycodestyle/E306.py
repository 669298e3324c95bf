def a():
    b = 1
    def c():
        pass
    class D:
        pass
    @e
    def f():
        pass
    async def g():
        pass
    # comment
    def h():
        pass
    if i:
        j = 1
        def k():
            pass
    """text"""
    def m():
        pass


async def n():
    o = 1
    def p():
        q = 1
        def r():
            pass
    s = 1
    def t(): pass
    u = 1
    @v
    def w(): pass


def x(): y = 1; z = 2
class A:
    def b(self):
        c = 1
        def d():
            pass
        e = 1
        class F:
            g = 1
            def h(self):
                pass
