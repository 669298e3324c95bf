def four(a, b, c):
    if a:
        return 1
    elif b:
        return 2
    elif c:
        return 3
    return 4


async def async_four(a):
    async for b in a:
        if b:
            return 1
    while a:
        async with a:
            return 2


def handlers():
    try:
        return 1
    except ValueError:
        return 2
    except KeyError:
        return 3
    else:
        return 4
    finally:
        return 5


@decorator
@another(lambda: 0)
def decorated(a):
    for a in a:
        for a in a:
            for a in a: pass
        else:
            if a: pass
