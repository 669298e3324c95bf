x = 1
if (x, 1): pass
if (x,): pass
elif (1, 2): pass
