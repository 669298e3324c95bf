if a is not b:
    pass
c = not (a is b)
d = 'not a is b'
e = not a(b) is c
f = a is not b
