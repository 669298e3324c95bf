x = 1
if (x): pass
elif (): pass
if [x, 1]: pass
while (x, 1): pass
if (x, 1) == x: pass
if not (x, 1): pass
x if () else 1
[x for x in () if (x, 1)]
match x:
    case 1 if (x, 1): pass
