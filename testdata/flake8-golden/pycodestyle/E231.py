a = (1,2)
b = [1,2,3]
c = {1:2}
d = {1,2}
e = f(1,2)
g = a[1,2]
h = a[1:2,3]
i = a[1:2, {3:4}]
j = a[b(1):c(2)]
k = a[(1,):2]
l2 = (1,)
m = [1,]
n = {1,}
o = {1:2,}
def p(q,r:int,s:t=1):
    pass
u:int = 1
v = lambda w:w
x = lambda w,y:w
z = 1;a = 2
if a:b = 1
c = f'{a:>3}{b,c}{d!r:x}{e:{f}}{(lambda:1)}'
d = f'{ {1:2}[1]}'
e = f'{a[1:2]}{b[1,2]}'
f = t'{a:x}{b,c}{d[1:2]}'
h = a[lambda:1:2]
i = a[lambda b:b:c]
j = a[b if c else d:e]
k = a[{1:2}[1]:3]
l2 = [a,\
      b]
m = (a,# comment
     b)
for a,b in c:pass
with a as b,c as d:pass
print(a,b,sep='')
class A(b,c):pass
try:pass
except(a,b):pass
else:pass
finally:pass
while a:pass
match a,b:
    case 1,2:pass
    case {'a':1,**b}:pass
    case [1,*c]:pass
import a,b
from a import b,c
del a,b
assert a,b
type X[T:int,U:(int,str)] = dict[T,U]
def y[T:int,*V](z:T)->T:return z
