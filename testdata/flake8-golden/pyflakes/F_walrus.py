"""Assignment expressions."""
if (a := 1): print(a)
print(b := 2, b)
[c := d for d in []]
print(c, d)
(e := 3)
(f := f)


def function(x=(g := 4)):
    (h := 5)
    i = (j := 6)
    while (k := input()): pass
    [m := n for n in []]
    [o for p in [] if (o := p)]
    return i


print(g, e)


class Class:
    (q := 7)
    r = q
    lambda: (s := 8)


f'{(t := 9)} {t}'
import u
(u := 10)
