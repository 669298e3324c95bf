@a
def b(c):
    return c @ d


c = a @ b
d @= e
f = '@ g'
(g
 @ h)
