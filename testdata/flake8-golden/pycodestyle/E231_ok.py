a = (1, 2)
b = (1,)
c = [1,]
d = a[1:2]
e = a[:, 1]
f = f'{a:>3}'
g = t'{a:>3}'
h = 'a,b;c:d'
i = (1,
     2)
j = (1,	2)
k = {1: 2}
m = 1;
n = lambda: 1
if a:
    pass
o = a[b:(c)]
p = a[b:c, d:e]
q = (a := 1)
r = f'{a:{b}}'
s = (1, # comment
     2)
t = a[lambda: 1:2]
