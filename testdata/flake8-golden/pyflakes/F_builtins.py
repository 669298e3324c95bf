_('translated')
foo(bar)
print(_, foo, foobar)


def function():
    print(foo)
    foo = 1
    return _


def foo(): pass


del _
