def a(): pass
async def b(): pass
def c(d: e, f={1: 2}) -> g: return 1
def h(i=lambda: 1): return i
class J:
    def k(self): pass

    async  def m(self): pass
def n(): o: int = 1
def p(): return {1: 2}
def q(): return r[1:2]
def s(): return lambda: 1
def t() -> {1: 2}: pass
def u[V: int](w): pass
def x(): ...
@y
def z(): pass
def  a(): pass
def b(): pass; pass
def c(
        d): pass
def e(): \
    pass
def f(g=h[1:2]): i = 1; j: int = 2
if k: pass
def m(n: o): p = lambda q: r
async def s() -> t: return u
