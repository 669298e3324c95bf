a = [lambda: 1]
b = c(lambda: 1)
d = 'lambda: 1'
e.f = lambda: 1
g: h = lambda: 1
i = (lambda: 1)
j = k or (lambda: 1)
def m(): return lambda: 1
lambda_ = {1: 2}
