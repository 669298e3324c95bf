a = b = c = 1


def function():
    global a
    global b, c
    print(a, b)
    c.attribute = 1
    c[0] = 2
    c.append(1)

    def inner():
        nonlocal x
        global undefined
        print(x, undefined)
    x = 1
    return inner


class Class:
    global a
    b = a

    def method(self):
        global Class, a
        a = Class


global d
if a:
    global e


def conditional():
    if a:
        global b
    else:
        b: int
    lambda b: b
    [b for b in []]

    def b2(b): return b

    class Inner:
        b = 1
    global walrus
    [x for x in [] if (walrus := x)]
    if a:
        global c
    else:
        c = 1
    if c:
        d = 1
        global d
    return Inner, b2
