print(1)
a[1](2)[3]
class B (object):
    pass
if (a):
    assert (b)
c = a if (b) else (d)
e = (1), (2)
f = [1], [2]
g = a in (1, 2)
h = not (a)
match (a):
    case (b):
        pass
i = lambda: (1)
j = 1 if [1] else [2]
print(a, (1))
k = a \
    .b
