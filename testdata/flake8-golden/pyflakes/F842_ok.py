x: int


class Class:
    y: int


def function():
    a: int = 1
    b: int
    b = a
    self.c: int
    d: int
    e: d
    print(b)
    global f
    f: int
    return e
