def a(b: c = 1):
    pass
def d(e=1, *, f=2):
    pass
def g(h: i, j=1):
    pass
g(h=1)
class K(metaclass=m):
    n: o=1
def p[T = int](q: T = 1) -> r: ...
class S[T = int]: ...
type U[T = int] = T
v = lambda w=1: w
def x(y: z[a(b=1)]): ...
if a: g(h=1)
