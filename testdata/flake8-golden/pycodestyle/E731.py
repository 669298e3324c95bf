a = lambda: 1
b = lambda c: c
d = lambda *e, **f: (e, f)
g = h = lambda: 1
i.j = lambda: 1
k[1] = lambda: 1
m: n = lambda: 1
o: p[q] = lambda: 1
r, s = lambda: 1, 2
t = (lambda: 1)
u = [lambda: 1]
v = w(lambda: 1)
x = lambda y={1: 2}: y
z = lambda: lambda: 1
a = 1 if b else lambda: 1
if c: d = lambda: 1
e = lambda f=lambda: 1: f
g = 1 if h else lambda: 1
i=lambda: 1
j  =  lambda: 1
é = lambda: 1
k = lambda m: {n: m}
class O:
    p = lambda self: 1
    q: r = lambda self: 1
s += lambda: 1
u = {v: lambda: 1}
w = x[lambda: 1:2]
y = \
    lambda: 1
z = lambda \
    : 1
a = lambda: (
    1)
b = f'{(lambda: 1)}'
c = lambda d, \
    e: 1
f = lambda: 1; g = lambda: 2
h = 1; i = lambda: 2
(j) = lambda: 1
k = lambda: 1  # noqa: E731
def m(n=lambda: 1): pass
o = lambda_ if p else {q: r}
s = lambda t=u[1:2]: t
match = lambda: 1
type = lambda: 1
_ = lambda: 1
v = lambda w=(x := 1): w
del lambda_; y = lambda: 1
for z in lambda: 1, 2: pass
print = lambda: 1
a = b = c = lambda: 1
d: lambda: 1 = lambda: 2
