"""del, and names that are gone."""
a = b = c = d = e = 1
del a
a
del a
if b:
    del b
b
while c:
    del c
c
for _ in []:
    del d
d
try:
    del e
except ValueError:
    pass
e


def function(f):
    del f
    print(f)
    del f
    g = 1
    del g, g
    global h
    del h
    h


del function, undefined
(x for x in []) if b else None
del (b, c), [i, j]
k = 1
k.attribute = 1
del k.attribute, k[0]
k
