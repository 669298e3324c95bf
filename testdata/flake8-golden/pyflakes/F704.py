yield
yield 1
x = yield
yield from []
await x
[(yield) for _ in []]
lambda: (yield)


class Class:
    yield 1
    y = yield from []

    def method(self): yield

    await method


def function(argument=(yield undefined)):
    pass


@(yield)
def decorated(): pass


if (yield): pass
async for x in []: pass
async with x: pass
[y async for y in []]
