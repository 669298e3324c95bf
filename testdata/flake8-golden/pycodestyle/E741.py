l = 1
O = 2
I = 3
l: int = 1
l, a = 1, 2
a, l = 1, 2
a = l = 1
l += 1
a.l = 1
a[l] = 1
(l) = 1
if (l := 1):
    pass
for l in a:
    pass
for a, l in b:
    pass
for (l, O) in b:
    pass
with a as l:
    pass
with a as (l, O):
    pass
with a as O, b as I:
    pass
import a as l
from a import b as O, c as I
try:
    pass
except A as I:
    pass
def f(l):
    global O
    global a, I
    b(l=1)


def g(l=1, *O, **I):
    def h():
        nonlocal l
        nonlocal a, l
        pass


def i(a, l: int, O: int = 1, /, I=2, *, b): ...
async def j(l): ...
def k(a=b(l=1), O=1): ...
def m(a=(l), b=[O]): ...
lambda l: l
lambda a, l: l
lambda *l, **O: l
lambda l=1: l
lambda a=b[1:2], l=1: a
lambda a=lambda l: 1: a
lambda: l
[l for l in a]
{l: O for l, O in a}
(l for a in b for l in a)
f(l=1)
f(l=lambda l: l)
d = {'a': l}
e = f'{l}{(l := 1)}{[l for l in a]}'
match a:
    case [l, O]:
        pass
    case b as l:
        pass
    case C(l=1):
        pass
    case {'d': l, **I}:
        pass
    case l:
        pass
async def n():
    async for l in a:
        pass
    async with a as O:
        pass
type l = int
def o[l, O: int, *I](): ...
class P[l]: ...
def q(
        l,
        O=1): ...
l = 1; O = 2
if a: l = 1
l == 1
l = lambda l: l
def r(self, l): l = 1
def s(a, b=l): ...
def t(a: l, b: O = I): ...
def u(a, *, l): ...
l =\
    1
for \
        l in a:
    pass
x = [1
     for l
     in a]
def w(l,  # comment
      O):
    pass
def y(l  # comment
      ): pass
(a := l)
x[l:=1]
f'{l=}'
f'{l = }'
f"{l:=3}"
l = a  # noqa
{**l}
f(*l, **O)
f(l, O, I)
def z(a=lambda: l, l=1): ...
def a(b=c[l:O], I=d): ...
def b(l): return (l, O)
def c(): return f(l, O=1)
lambda: (l, O)
lambda a: f(l, O)
a[lambda l: 1:l]
[lambda l: l, l]
f(lambda l, O=1: l, I, l=2)
import l
from l import O
del l, O
return_ = l = O
