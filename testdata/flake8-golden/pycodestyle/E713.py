if not a in b:
    pass
c = not a in b
d = not a.b in c
e = a and not b in c
f = not  a  in  b
g = not a in b and not c in d
h = not a(b) in c
i = not a[b] in c
j = not (a) in b
k = not -a in b
m = not 'a' in b
n = not a+b in c
o = not a, b in c
p = f'{not a in b}'
q = (not a
     in b)
r = (not
     a in b)
s = not not a in b
t = [u for u in v if not u in w]
x = a if not b in c else d
y = not a is b and not c in d
z = not a in b  # noqa
a = a is not b in c
b = not'a' in b
c = not é in ü
d = a not in b or not c in d
while not a in b: pass
e = not a	in	b
f = not a in(b)
g = not a+\
    b in c
i = not a.b.c in d, not e is f
j = not f'a' in b
k = not f'{a}' in b
m = knot, not a in b
