import a
try:
    import b
except C:
    b = None
else:
    d = 1
finally:
    pass
import e
if f:
    g = 1
elif h:
    pass
else:
    pass
import i
with j:
    k = 1
import m
ifoo = 1
withhold = 1
elsewhere = 1
trying = 1
import n
for o in p:
    pass
import q
