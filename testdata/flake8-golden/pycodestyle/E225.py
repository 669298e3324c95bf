a=1
b =1
c= 1
d = a==b
e = a ==b
f = a== b
g = a<b
h = a <b
i = a!=b
j = a +b
k = a+ b
m = a *b
n = a/ b
o = a **b
p = a** b
q = a //b
r = a @b
s = a %b
t = a% b
u = a &b
v = a| b
w = a ^b
x = a <<b
y = a>> b
z -=1
aa+=1
bb|=1
cc ^=1
dd<<=1
ee >>=1
ff **=2
gg//=2
hh @=ii
def jj()->int:
    pass
def kk() ->int:
    pass
def mm()-> int:
    pass
if (nn:=1):
    pass
if (oo :=1):
    pass
pp = 1and 1
qq = 1 in(1, 2)
rr = a is(b)
ss = a and(b)
tt = a or(b)
uu = (a)and(b)
vv = 'a'in b
ww = 1or 2
xx = a>=b<=c
yy: int=1
zz = a -1
