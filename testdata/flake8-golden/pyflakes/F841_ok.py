import contextlib


def function(parameter):
    a = 1
    _ = 2
    (b, c) = parameter
    d, *e = parameter
    for f in a: pass
    parameter = 3
    with contextlib.suppress() as (g, h): pass
    i = [j for j in []]
    k: int = 4
    lambda: k
    yield i
    if (m := 5): yield m
    try: pass
    except ValueError as error: yield error
    global n
    n = 6
    self.attribute = 7
    o = 8
    del o
    match parameter:
        case [p, q]: yield p, q


x = 1


class Class:
    x = 1


lambda parameter: 1
