def function():
    return 1


async def coroutine():
    if function: return


class Class:
    def method(self):
        for x in []: return x
lambda: 1
