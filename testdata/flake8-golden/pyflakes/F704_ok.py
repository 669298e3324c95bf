def function():
    yield
    x = yield 1
    yield from x
    return lambda: (yield)


async def coroutine():
    await function()
    yield 1
    async for x in []: await x


class Class:
    def method(self):
        yield
lambda: (yield 1)
(await x for x in [])
