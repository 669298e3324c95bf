def function():
    a: int
    b: 'int'
    c: int = 1
    d: int
    d = 2
    e: int
    e: str
    self.f: int
    g[0]: int
    (h): int
    _: int
    i: int
    print(i)
    j: undefined
    k: int

    def inner():
        return k

    class Inner:
        m: int
    for d in []: pass
    n: int
    n: int = 1
    if n: o: int
    return inner, Inner


x: int


async def coroutine():
    a: int
    return lambda: a
