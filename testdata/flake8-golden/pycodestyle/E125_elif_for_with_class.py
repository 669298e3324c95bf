if True:
    if a(
        b):
        c = 1
    elif d(e,
        f):
        g = 1
    with open('h') as i, \
        open('j') as k:
        pass
class L(
    M):
    pass
if n: o = (
    1)
if p(
    q): r(
        s)
