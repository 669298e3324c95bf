x = 1
x is 'a'
x is not 'a'
'a' is x
x is 1
x is -1
x is 1.0
x is b'a'
x is ()
x is (1, 2)
x is (1, (None, 'a'))
x is (x, 1)
x is 1 is 2
x is None is 1
x == 1 is x
x < x is not x is 'a'
(x is 'a') is 'b'
x is 'a' 'b'
x is f'a'
x is 1j
if x is '': pass
while x is not 0: pass
[x for x in () if x is 'a']
