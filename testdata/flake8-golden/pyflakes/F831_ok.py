def function(a, b, /, c, *d, e, **f): pass
def nested(a): return lambda a: a
def outer(a):
    def inner(a): return a
    return inner
lambda a, b: [a for a in b]
