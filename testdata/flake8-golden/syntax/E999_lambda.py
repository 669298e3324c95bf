def f(): return lambda a, a b: 1
