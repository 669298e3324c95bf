if a == None:
    pass
if a != None:
    pass
if None == a:
    pass
if None != a:
    pass
b = a == None and c != None
d = a[1] == None
e = None == None
f = a ==None
g = a== None
h = a==None
i = None==a
j = a == None_
k = a == Nonesuch
m = xNone == a
o = a  ==  None
p = f'{a == None}{None != b}'
q = (a ==
     None)
r = (None
     == a)
s = a == (None)
t = [None] == a
u = a == None == b
v = a == b == None != c
w = a == None.c
x = a if b == None else c
y = a == None or None == b or c != None  # noqa
z = a == None  # noqa: E711
a = a == \
    None
b = lambda: a == None
c = 'a == None'
d = f'a == None'
assert a == None, b != None
e = None == True
f = True == None
g = False != None != True
h = é == None
i = None	==	a
j = a != None!= b
k = 1 == None, None == 1
m = None is a == b
n = None < a == b
o = a == None[0]
p = a[b == None:None != c]
