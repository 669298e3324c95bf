"""The scopes of comprehensions, and walrus in them."""
[a for a in a]
[b for b in [] if b]
b
[c for d in [] for c in d]
[c for c in d for d in []]
{e: f for e, f in []}
{g for g in [] if (h := g)}
print(h)
[i for i in (j := [])]
print(j)
(k for k in [m for m in [k]])
[(lambda: n)() for n in []]
[lambda: o for p in []]


def function():
    [q for q in q]
    if any((r := s) for s in []): print(r)
    [t for t in [t for t in []]]
    return [u async for u in u]


class Class:
    [v for v in []]
    v
    [w := x for x in []]
    w
print(w)
[[y for z in y] for y in []]
