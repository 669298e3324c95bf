*a, b = 1, 2
a, *b = [*a, *a]
*a, (*b, c) = 1, (2, 3)
[*a, [*b]] = 1, 2
print(*a, *b)
(*a, *b)
for *a, b in [(*a, *b)]: pass
