x = 1
assert x, 'message'
assert (x), ('message')
assert ()
assert [x, 'message']
assert {x, 2}
assert (x, 2) == (1, 2)
assert not (x, 2)
