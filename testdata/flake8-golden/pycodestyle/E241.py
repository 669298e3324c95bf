a = (1,  2)
b = [1,   2]
c = {1:  2}
d = 1;  e = 2
def f(g:  int,  h=1):
    pass
if a:  b = 1
i = f(1,  2)
j = {1:   2,
     3:  4}
k = f'{a,  b}{c:  >3}'
m = lambda n:  n
o = a[1:  2]
p = (1,  # comment
     2)
q = (1,  \
     2)
r = 'a,  b',  'c'
s:  int = 1
t = t'{a,  b}'
u = (1, 	 2)
v = (1,   
     2)
w = 1;  # comment
x = a[:,  :,  1]
