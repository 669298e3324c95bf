from a import (b)
if a:
    pass
b = not (a)
c = (yield)
d = lambda: 1
try:
    pass
except* A:
    pass
try:
    pass
except:
    pass
e = print(1)
match(a):
    case(b):
        pass
f = 'not(a)'
g = True, None
h = async_(1)
i = a[None:]
j = {True: False}
k = (a and
     b)
while True:
    break
pass
