def function(parameter):
    a = 1
    b: int = 2
    c = d = 3
    e += 1
    (f := 4)
    with open('x') as g: pass
    with open('x') as (h, i): pass
    j, k = 5, 6
    m, n = parameter
    (o, p) = (7, 8)
    [q, r] = [9, 10]
    s, = parameter
    for t in []: pass
    _ = 11
    __ = 12
    _u = 13
    parameter = 14
    __tracebackhide__ = __traceback_info__ = __traceback_supplement__ = True
    __debuggerskip__ = __other__ = True
    import v
    def w(): pass
    class x: pass
    lambda: (y := 15)
    z = 16
    del z
    try: pass
    except ValueError as error: pass
    *a1, b1 = c1 = 17
    match parameter:
        case [d1, *e1] as f1: pass
        case {'a': g1, **h1}: pass
        case i1: pass
    [j1 for j1 in [] if (k1 := j1)]
    global m1
    m1 = 18


async def coroutine():
    a = await function
    async with a as b: pass
    async for c in []: pass


lambda: [a := 1]
x = 1


class Class:
    x = 1

    def method(self):
        self.x = y = 1
        x = self.x
