if isinstance(a, b):
    pass
if type(a) is b:
    pass
c = a == type(b)
d = 'type(a) == b'
e = a.type(b) == c
f = type(a)
g = a == b
h = type(a) == b  # noqa: E721
