[a] = lambda l: 0
(b)(lambda O, c: 0)
{d: 1}[e], f = lambda l=1: 0, lambda *I: 0
(f)[lambda l: (0):lambda l: 0]
[a, l] = lambda: l
