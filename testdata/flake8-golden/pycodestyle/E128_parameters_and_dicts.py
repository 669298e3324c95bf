def f(a, b=('x',
            'y'),
    c=1,
             d=2):
    return {'a': a,
        'b': b, 'c': [c,
             d]}
if (a and b or
   c):
    pass
print(f"{a,
  b}", c,
  d)
r = (x,
  # comment
     y,
# comment
     z)
if True:
	v = w(x,
		y)
