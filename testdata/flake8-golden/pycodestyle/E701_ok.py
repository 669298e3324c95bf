if a:
    b = 1
c: int = 1
d = {1: 2}
e = f[1:2]
if (g := 1):
    pass
h = lambda: 1
def i(j: k = 1) -> m: ...
if n[1:2]:
    pass
match o:
    case 1: pass
if p:  # comment
    pass
type Q[R: int] = S
