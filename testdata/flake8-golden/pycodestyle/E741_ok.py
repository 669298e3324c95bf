a = l
L = o = i = 1
f(l=1)
a.l
if a == l:
    pass
lambda a: l
b[l] += O
c = 'l = 1'
ll = 1
l1 = O0 = 1
d = {l: O}
import l
print(l, O, I)
l.a = 1
l[0] = 1
