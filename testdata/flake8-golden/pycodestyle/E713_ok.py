if a not in b:
    pass
c = not (a in b)
d = not a
e = 'not a in b'
f = not a or b in c
g = a is not b in c
for h in not a, b:
    pass
