match a :
    case 1 :
        pass
    case [b,*c]if(d):
        pass
    case {'e':f ,**g}:pass
    case H( i=1,j = 2) | K():
        pass
    case -1|2j:
        pass
    case (b|c)  as d:
        pass
    case *e,f:
        pass
    case _ :pass
match (a):
    case (b): pass
match [a]:
    case [b]: pass
match -a:
    case -1: pass
match *a, b:
    case c: pass
match(a)
match [0]
match -1
match * a
match  = case  = type  = 1
type A=int
type B [C]=D
type E[F:int,*G,**H]=I
type  J  =  K
type(a)
type [0]
type -1
async def a(b:c=1)->d:
    async for e in f :pass
    async with g as h,i as j:pass
    k=[m async  for m in n]
    await(o)
    return await  p
with(a as b,c as d):
    pass
with (a),(b) :pass
try:
    pass
except*(A,B)as c :
    pass
except*D:
    pass
try:pass
except A ,B:pass
@a .b
@ c[1](2)
@(d:=e)
@lambda f:f
def g(h,/,i,*,j):pass
def k[M:int=1,*N=2](o:M,*p:*N,**q)->r:pass
class S[T]( U,metaclass = V) :pass
if(a:=1)and(b:=2):pass
while(a:=b()):pass
[c:=1,d:=2]
x=yield_
lambda:(yield)
def a():
    yield
    yield(b)
    yield from(c)
    x = yield  d
    return(yield)
a = b if c else d if e else(f)
a,*b=c
*a,=b
a[b,*c]=d
print(*a,sep='')
a@=b
a<<=b;c>>=d;e**=f;g//=h
a = b<<c>>d**e//f
a = ...;b = a[...,1]
a = 0x1F+1_000.5e-3j-1E+5
a = 1if b else 2
a = 1 .real
a = 1..real
a = not  not(a)
global b;c = 1
