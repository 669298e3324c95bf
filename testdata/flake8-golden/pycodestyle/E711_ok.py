if a is None:
    pass
b = 'a == None'
c = a == b
d = a(None)
e = a == (None)
f = a is not None
g = a == Nonesuch
h = a >= None
