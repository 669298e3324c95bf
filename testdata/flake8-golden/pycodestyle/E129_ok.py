if (a or
        b):
    pass
if (c
        and d):
    pass
if f(a,
     b):
    pass
while (a and
       b):
    pass
