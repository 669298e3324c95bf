"""Lambdas are functions."""
x = lambda a, b=undefined, *c, d=x, **e: a + undefined2
y = lambda: later
later = lambda: (lambda z: z + y)
lambda: (w := 1)
lambda v: [v for v in v]


class Class:
    attribute = 1
    method = lambda self: attribute
    default = lambda self, a=attribute: a
    [lambda: attribute for _ in [attribute]]


def function():
    return lambda: local
    local = 1


lambda: (yield)
lambda: locals()
lambda *, k: k
lambda f, f: f
