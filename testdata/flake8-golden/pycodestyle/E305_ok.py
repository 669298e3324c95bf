def a():
    pass


b = 1
c = 2


class D:
    e = 1


# comment
f = 1


async def g():
    pass
h = 1


@i
def j():
    pass


if k:
    def m():
        pass
n = 1
