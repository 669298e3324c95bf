def a(
        b
        = 1,
        c=
        2):
    pass


d(e
  =

  1)
f = (g == h)
f = g(h == i, j != k, l2 <= m, n >= o)
f = (g := 1)
f(g:=1)
f = t'{a = }{b(c = 1)}'
d(
    e = 1,
    f = """
    """,
    g
    =  # comment

    # comment
    2,
)
if a(b = 1): c(d = 2)
e = a(b = [c(d = 1)], e = {f: g(h = 2)})
e = a[b(c = 1)]
[e(f = 1)
 for g in h]
def i(j: k(m = 1) = 2): ...
def n(o: p = 1, q: r[s, t] = 2, u: (v, w) = 3): ...
def x(y: z = {1: 2}, a = {3: 4}): ...
class A(B, c = 1, **d):
    def e(self, f = 1): ...
    def g(self, h: i[j] = 1, k = 2): ...
 
