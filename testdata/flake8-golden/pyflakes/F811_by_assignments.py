"""Redefinitions by other things than definitions."""
import a, b, c, d, e, f, g, h, i, j, k, m
a = 1
b += 1
c: int
d: int = 1
(e, f) = 1, 2
with open('x') as g: pass
[h for h in []]
(i := 1)
lambda j: j
del k
try: pass
except ValueError as m: pass


def function(a): return a


def other(): pass
other = 1
def other(): pass
