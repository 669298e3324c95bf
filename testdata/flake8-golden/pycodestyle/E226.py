a = b+c
d = e-f
g = h*i
j = k/m
n = o//p
q = r@s
t = (u+v)*(w-x)
y = -1+2
z = a**b
aa = a[b+1:c-1]
bb = f(a*b, c=d-1)
cc = 'a'+'b'
dd = f'{a+b}'
ee = (a+
      b)
ff = (a
      +b)
gg = a()-b()
hh = a[1]*b[2]
ii = {1}-{2}
jj = 1-1
kk = a-b-c
mm = a*-b
nn = True+False
oo = f'a'+t'b'
pp = print+1
qq = lambda: a+b
rr = [i*2 for i in a]
def ss(tt=1+2, *uu, vv: ww=a-b):
    return tt/uu
xx = a/b if c else d
yy = 1 if c else a/b
zz = match-1, case*2, type/3, _+1
