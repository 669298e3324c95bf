x = 1
x is None
x is not None
x is True
x is False
x is ...
x is []
x is {}
x is x
x is [1]
x is (x,)
x is -1
x is f'{x}'
x == 'a'
x in 'a'
None is None
x is (1 + 1)
