"""A use in one scope and an assignment in another, and declarations."""
a = b = c = d = e = 1


def function():
    global a
    print(a)
    a = 2
    [b for _ in []]
    b = 2

    def inner():
        nonlocal b
        print(b, c)
        b = 3
    c = 2
    print(d)
    try: pass
    except ValueError as d: pass
    print(e)
    with open('x') as e: print(e)
    print(__name__)
    __name__ = 1
    return inner, b, c


def parameters(a):
    print(a)
    a = 2
    print(undefined)
    undefined = 1
    match a:
        case [x]: print(x)
    (e := e)
