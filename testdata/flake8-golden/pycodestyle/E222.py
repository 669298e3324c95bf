a =  1
b = 1 +  2
c = b -   1
d +=  1
e = a ==  b
if a <  b:
    pass
h = (a :=   1)
i = a @  b
j = a **  b
k = a //  b
m = a <<  b
def o() ->  int:
    pass
p = [a %   b]
q = (-  1)
r = f(a=  1)
s = a !=  b >=  c
t = f'{a +  b}'
u = -  1
v = a, -  1
y = a ^  b &  c |  d
z = *  a, 1
aa = a <  -  1
bb = ~  a
f: int =  1
g = a =  b =   c
cc = f'{a =  }'
dd = a = \
    1
ee = a =  \
    1
def ff(*  a, **  b):
    pass
