a = b = c = d = e = f = g = h = i = j = k = 1


def function():
    global a, b, c, d, e, f, g, h, i, k
    a = 1
    b += 1
    for c in []: pass
    with open('x') as d: pass
    import e
    def f(): pass
    class g: pass
    del h
    (i := 1)
    try: pass
    except ValueError as k: pass


def outer():
    x = y = z = 1

    def inner():
        nonlocal x, y, z
        x, (y, *z) = [], [1]
        global m
        m: int = 1
    return inner, x, y, z
