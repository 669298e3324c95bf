if a == True:
    pass
if a != True:
    pass
if a == False:
    pass
if a != False:
    pass
if True == a:
    pass
if False != a:
    pass
if True != a or False == a:
    pass
b = a == True and c != False
d = True == False
e = a==True
f = f'{a == True}'
g = (a ==
     True)
h = a == Truely
i = a == True  # noqa
j = a == True  # noqa: E7
k = x == True, y == False, None != z
m = True == True == True
n = a[True != b]
o = notTrue == a
p = not True == a
q = a != False.b
r = a == True_
