return 1
yield_ = (yield)
await_ = 1
break
continue
def f(a, a):
    global b
    b = 1
    nonlocal c
x = __debug__
del x, (y), [z]
