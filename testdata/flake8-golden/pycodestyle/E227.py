a = b|c
d = e&f
g = h^i
j = k<<m
n = o>>p
q = (r|s)&t
u = f(a|b, c=d|e)
v: int|None = 1
def w(x: a|b) -> c|d:
    return x>>1
y = f'{a|b}'
z = 1<<2
aa = (1
      |2)
bb = {1}|{2}
cc = print>>a
dd = ~a&~b
match ee:
    case 1|2:
        pass
    case 'a'|'b':
        pass
