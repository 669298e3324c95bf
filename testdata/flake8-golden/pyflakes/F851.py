lazy import a, b.c, d as e
lazy from f import g, h as i
print(a)
print(b.c, e)
g += 1
i.j = 1
k = [a for a in range(2)] + [e for x in a] + [y for y in e]
m = {a: e for x in range(2) for y in b}
n = (x for x in a if e)
print([(x for x in e) for y in a], {(a for z in e) for x in k})


@a
def function(x=e, *, y: b = b) -> a:
    return a, e


@e
class Class(a.B, metaclass=i):
    n = a

    class Inner:
        m = e
        k = [a, (lambda: b)]


if a:
    del e
for b.x in i:
    pass
with i as o, a:
    print(f'{i} {b!r:>{a}}')
p: a = a
q = (a := 1)
print(a)
