"""Functions of a complexity of 3, or that only look complex."""


def three(a, b):
    if a: return 1
    if b: return 2


def handler():
    try: return 1
    except ValueError: return 2


def expressions(a, b):
    c = a and b or a if b else a and b or [d for d in a if d if b if a]
    return lambda: a if b else c or a


def matches(a):
    match a:
        case 1:
            if a: return 1
        case 2 if a:
            for b in a: return b
        case [3, 4] | {'a': 5}: pass
        case _: pass


def stars(a):
    try:
        if a: pass
    except* ValueError:
        if a: pass
    except* KeyError:
        for b in a: pass


def cleanup(a):
    try: pass
    finally:
        if a: pass
        elif a: pass
        for b in a: pass
        while a: pass


def simple():
    with a, b, c:
        with d: pass
    assert a, b
    return not a
    raise a


class Class:
    x = [a for a in a if a if a if a]
