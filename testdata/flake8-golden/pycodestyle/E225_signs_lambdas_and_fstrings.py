a = b if c else-1
d = lambda:1
e = f'{a=}{b =}{c= }{d==e}{f ==g}'
g = t'{a=}{b==c}{d +e}'
h = [i for i in(1, 2)]
j = a<-1
k = a< -b
m = a =-1
n = a= -1
o = a=-1
p = x[a:b +c]
q = x[a+ b:c]
r = {a:b +c}
s = a(b=c +d, *e, ** f)
t = (a
     +b)
u = (a+
     b)
v = (a
     ==b)
w = (a==
     b)
x = a \
    -b
y = a and\
    b
z = a=\
    1
aa = a *-b
bb = a* -b
cc = a*-b
dd = a if b else(c)
ee = a[b]+c[d] +e
ff = (a)+(b) -(c)
gg = 'a' +'b'
hh = f'a' +f'b'
ii = a is not(b)
jj = a not in(b)
kk = a>b if c<d else e==f
mm = match -1
nn = case +1
oo = type *a
pp = _ *b
qq = print -1
rr = True -1
ss = None +a
tt = yield_ -1
uu = 1 -1
vv = ... -1
ww = a. b -1
xx = not -1
yy = await_ -1
zz = a, -1
