x = 1
if (x, 1): pass
elif (x,): pass
else: pass
y = 1 if (x,) else 2
y = (1 if (x,) else
     2 if (x, y) else 3)
print(1, 2 if (x, 1) else 3)
lambda: 1 if (1, 2) else 2
