assert (1, 'message')
assert (1,)
assert (0, 1), 'message'
assert ()
assert (*[],)
assert 1, (2, 3)


def function(x):
    assert (x, 'x')
    assert (x > 1, f'{x}'), x
