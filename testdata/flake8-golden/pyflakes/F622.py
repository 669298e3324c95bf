*a, *b = 1, 2
[*a, *b] = 1, 2
(*a, b, *c, *d) = 1, 2
for *a, *b in []: pass
with x as (*a, *b): pass
a, (*b, *c), *d = 1, 2, 3
[(*a, *b) for *a, *b in []]
x = 1
