if True:
    if (a and
        b):
        pass
    with (c,
        d):
        pass
    row = [x for (x,
                  y) in z]
try:
    pass
except (A,
        B):
        pass
if ('a'
    'b'):
    pass
if (not
    a):
    pass
if a[(1
    )]:
    pass
