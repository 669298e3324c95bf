if not a is b:
    pass
c = not a is None
d = not a.b is c
e = not a in b is c
f = not a is not b
g = not a(b) is c
h = f'{not a is b}'
i = not a  is  b
j = a and not b is c
k = not a is b  # noqa: E714
m = not a is b and not c is d
n = (not a is
     b)
o = [a for a in b if not a is c]
