def a(b: c=1):
    pass
def d(e: f =1):
    pass
def g(h: i= 1):
    pass
async def j(k: m=1):
    pass
def n(o: p=1, q=2, *, r: s=3):
    pass
def t(u: v[w]=1, x: (y)=2):
    pass
def z(a: b=c(d=1)):
    pass
def e[T=int](f: T=1):
    pass
class G[T=int]:
    def h[U: (int, str)=int](self, i: U=1): ...
type I[T=int, *U=j, **V=k] = T
def m(
        n: o=1,
        p: q=
        2,
        r: s
        =3):
    pass
def t(u: v='w', x: 'y'="z") -> a: ...
def b(c: lambda: 1=2): ...
def d(e: f=1, # comment
      g: h=2): ...
async  def i(j: k=1): ...
def  m(n: o=1): ...
def p(q: {r: s}=1, t: {u}=2): ...
def v(w: x, y=1, z: a=2): ...
@b(c=1)
def d(e: f=1): ...
if a: pass
class J(K[T], m=1): ...
def n(o: p=1): return q(r=1)
