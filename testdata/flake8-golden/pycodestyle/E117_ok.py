if a:
    b = 1
    if c:
        d = 1
if (e and
            f):
    g = 1
