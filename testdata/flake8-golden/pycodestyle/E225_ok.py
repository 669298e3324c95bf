a = 1
b += 1
c = a == b
d = a(b=c, *e, **f)
g = a[b:-c]
h = -1
i = a if b else -c
j = lambda k=1, *m, n=2: k
o = f'{a=}{b!r}'
p = t'{a=}'
q = a**-b
r = (a, *b)
def s(t, /, *, u=1) -> v: ...
print(*a, sep='')
w = a is not b
x = a.b
y = (yield)
z: int
assert -a, +b
del (a), b
for c in *a, *b:
    pass
