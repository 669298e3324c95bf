if a :
    pass
print(a , b)
c = 1 ; d = 2
e = a[1 :2]
f = a[b : c]
g = a[b: , c]
h = {1 : 2}
i = 1 ;
j = lambda a : a
k = a[b+1 :]
m = f'{a :>3}{b , c}'
n	, o = 1, 2
def p(q : r , s = 1) -> t :
    pass
u : int = 1
v = [1   , 2]
w = t'{a :x}'
x = a[ :b]
y = ('a' , 'b')
z = (a
     , b)
class A :
    pass
with a as b , c as d :
    pass
