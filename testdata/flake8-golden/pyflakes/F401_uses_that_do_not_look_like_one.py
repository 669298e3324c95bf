"""Uses that do not look like one, and what does not use."""
import a, b, c, d, e, f, g, h, i, j, k, m, n, o
a.attribute = 1
b[0] = 2
c += 1
del d
e: int = 1
f: int
for g in (): pass
with open('x') as h: pass
[i for i in ()]
'j'
# k
f'{m!r:{n}}'
print(f"{'o'}")
