x = {}
'{a}'.format(a=1)
'{a.b[c]!r:>{d}}'.format(a=1, d=2)
'{a}'.format(b=1, **x)
'{a}'.format(*x, b=1)
'{a}'.format(a=1, **x)
