def a(b, /, c):
    pass


def d(e, f, /):
    pass


g = lambda h, /: h
i = lambda j, /, k: j
m = n /o
p = n/ o
def q(r: s=1, *t: u, v =3, w= 4)->x:
    return -r


y = lambda z=1: z
aa = lambda bb =1, *cc, dd= 2: bb
ee = lambda ff=lambda: 1: ff
gg = {'a': lambda hh=1: hh==1}
def ii[T=int, *U=v, **W=x](): pass
type jj[T = int]=T
type kk=int
type mm =int
class nn(metaclass=oo): pass
pp = qq(rr=ss, tt =uu, vv= ww)
xx = [yy=='a', zz== 'b']
ab = a<b>c
cd @ef
gh(*ij, **kl)
mn = *op, 1
qr = [*st, *uv]
wx = {**yz, 'a': 1}
print(a, file=b)
print >>sys.stderr, 'a'
print>>sys.stderr
c=d=e
f =g= h
f: g=h
f: g =h
i[j]=k
i[j] =k
i.j=k
i,j=k
assert a==b, c<d
del a
from .e import*
a = b if c>d else e
a = b<c<d
a = not b==c
a = b//-c
a = b//c -d
a = b% c
a = b %(c)
a = b%(c)
a = ("%s"
     %b)
a = b << c +d
a = b|c &d
a = ~b
a = ~b -c
a = b@c @d
a = b.c -d
a = b() -c
a = b[c] *d
a = {b} -{c}
a = b*c ** -d
a = b**-c
a = b ** -c
a = b **-c
a = -b**c
a = b if -c else +d
match a:
    case -1 | 2:
        pass
    case b.c|d.e:
        pass
    case {'f': g, **h}:
        pass
    case [*i, j]:
        pass
    case K(l2=1, m= 2):
        pass
for a in-b, +c:
    return_ = -1
    yield_ = (yield -1)
    print(a if b else -c, *d)
try:
    pass
except* (a, b):
    pass
