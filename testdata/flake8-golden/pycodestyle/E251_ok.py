f(a=1)
def g(h: i = 1):
    pass
def j[T = int](): ...
class K[T = int]: ...
type M[T = int] = T
a = 1
b = [c == d]
e = (f := 1)
h = lambda i=1: i
j[k] = 1
m = {n: o == p}
async def q(r: s = 1, *, t: u = 2): ...
if (a == b):
    pass
f(a=1)[0] = 2
x = y = (1)
