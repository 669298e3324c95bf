"""What uses a variable of a function."""


def function():
    a = 1
    b = 2
    c = 3
    d = 4
    e = 5
    f = 6
    g = 7
    h = 8
    i = j = k = m = 9

    def inner():
        nonlocal d
        d = 5
        c = a
        return [e for _ in []]

    class Inner:
        f = f
        x: 'g' = 1
    lambda: h
    del i
    j.attribute = 1
    k[0] = 2
    m += 1
    return inner


def first():
    a = 1
    print(a)
    a = 2


def second():
    a = 1
    if a: a = 2
    else: a = 3
    b = 1
    b = 2
    b = b


def third():
    a = 1
    b = 'a'
    c: 'a' = 1
    f'{b}'
    (d, e) = f = 1, 2
    [g, h] = f
    for i in f: j = i
    while (k := 1): pass
    (m, n), o = p = (1, 2), 3
