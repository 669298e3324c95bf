if type(a) == type(b):
    pass
if type(a) != type(b):
    pass
c = type(a) == int
d = int == type(a)
e = type(a) is int
f = a == type(1)
g = a == type(b)
h = a != type(b.c)
i = a != type('b')
j = a.type(b) == c
k = type (a) == b
m = type( a ) == b
n = type(a)==b
o = type(a)  == b
p = type(a(b)) == c
q = a == type(b(c))
r = a == type(None)
s = a == type(True)
t = f'{type(a) == b}'
u = type(a) == type(b) or type(c) == d
v = xtype(a) == b
w = type(a) == b  # noqa
x = type(a) == b  # noqa: E721
y = (type(a)
     == b)
z = a ==type(b)
a = a == type()
b = type() == b
c = type(a).b == c
d = type(a) in b
e = a == type(é)
f = a ==  type (b, c)
g = a == type(b) == type(1)
h = type(a) == b == type(c)
i = a == type([])
j = a == type(lambda: b)
k = types(a) == b
m = a == types(b)
n = type[a] == b
o = type(a, b) != c
p = a.b.type(c) == d
q = a == b.type(c)
s = type(a)[0] == b
t = a == type(_b1)
u = a == type(   b)
v = a == type(b   )
w = type(a) == (b)
x = (type(a)) == b
y = type(a)	== b
z = a ==	type(1)
a = a == type(in_)
b = a == type(if_) or type(c) == d
c = a == type (not b)
d = étype(a) == b
e = type(a) \
    == b
