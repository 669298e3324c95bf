f(a = 1)
f(a= 1)
f(a =1)
def g(h = 1, i= 2, j =3):
    pass
f(a=
  1)
f(a
  =1)
f(a =
  1)
f(a=  # comment
  1)
f(a  # comment
  = 1)
f(a=\
  1)
f(a  =  1)
f(a	=	1)
def k(m: n = 1, o = 2):
    pass
def p(q: r = f(s = 1), t: u = 2):
    pass
async def v(w = 1, *, x = 2, **y):
    pass
class Z(metaclass = A):
    pass
b = f'{c = }'
d = f(e = f'{g = }')
h = f(i = 1)[j(k = 2)]
@l2(m = 1)
def n():
    return o(p = 1)
q = lambda r = 1: r
s = (lambda t = 1: t)
u = f(lambda v = 1: v)
w = [x(y = 1)]
z = {a: b(c = 1)}
f(a = b == c)
def d[T = int](e = 1): ...
class G[T = int](h = 1): ...
type I[T = int] = T
f(*a, b = 1, **c)
print(a, end = '')
match a:
    case B(c = 1):
        pass
j = [k(m = 1) for k in n if o(p = 1)]
def q(r: s[t(u = 1)] = 1): ...
def v(w, x: y, z = 1): ...
def a(b: c = 1, *d, e = 2, f: g= 3): ...
h = i(j = 1)(k = 2)
