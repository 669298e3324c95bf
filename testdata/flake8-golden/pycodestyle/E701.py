if a: b = 1
elif a: b = 2
else: b = 3
for c in d: pass
else: pass
while e: pass
try: pass
except F: pass
else: pass
finally: pass
with g: pass
with h as i: pass
class J: pass
class K(L): m: int = 1
async def n():
    async for o in p: pass
    async with q: pass
    async  for o in p: pass
if r: s = {1: 2}
if t[1:2]: u = 1
if v({1: 2}): w = 1
if (x := 1): y = 1
if z: a: int = 1
if b: c = lambda: 1
if d: e = lambda f: f; g = 1
while True: pass; pass
if h: i; j; k
class M: n: int; o: str
if p: q = 'r: s'
if t: u = f'{v:>3}'
if w: x = y[1:2]
try: pass
except* Z: pass
if a:  # comment
    pass
if b: \
    c = 1
if d \
        : e = 1
if (f and
        g): h = 1
with i as j, k as m: n = 1
for (o, p) in q: r = 1
else: s = 1
class T[U]: v = 1
class W[X: int]: y = 1
if lambda: 1: z = 1
if (lambda: 1): z = 1
if a == {1: 2}: b = 1
if[1]: b = 1
if not a: b = 1
if'a': b = 1
if f'{a:b}': c = 1
match = 1
match a:
    case 1: pass
    case {'b': 2}: pass
    case _: c = 1
type D = int
type E[F: int] = G
try_: int = 1
classy: int = 1
if_: int = 1
else_: int = 1
for_: int = 1
