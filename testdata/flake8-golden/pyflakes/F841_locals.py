def function():
    a = 1
    return locals()


def uncalled():
    a = 1
    return locals


def nested():
    a = 1

    def inner():
        b = 2
        return locals()
    return inner


def comprehension():
    a = 1
    return [locals() for _ in []]


def argument():
    a: int
    b = 1
    return print(locals())


def passed():
    a = 1
    return map(locals, [])


def attribute():
    a = 1
    return x.locals(), locals.x()


class Class:
    a = 1
    locals()

    def method(self):
        a = 1
        return lambda: locals()


def method():
    locals().update()
    a = 1
