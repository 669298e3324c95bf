a = b + c
d = -1
e = a(*b, **c)
f = a**b
g = lambda *h: h
i = 'a+b'
j = a[-1:+1]
k = a, -b
m = a if b else -c
n = not -a
def o(p, /, q): ...
from a import *
r = 1e-5
s = [*a]
match a:
    case [*b]:
        pass
