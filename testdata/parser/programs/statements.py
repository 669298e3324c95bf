"""Every statement, with and without its optional parts."""
from __future__ import annotations, division

import os
import os.path as path, sys
import a . b . \
    c
from . import x
from .. import y as z
from ... import (one, two as deux,)
from .... mod.sub import *
from os import *
lone, = 1,


def plain():
    pass


def full(a, b: int = 1, /, c=2, *args: *Ts, d, e: str = 'x', **kwargs: dict) -> None:
    return


def star_only(*, a, b=1): return a, *b


def slash(a, /): return
def slash_default(a=1, /, b=2, *, c): return (yield)
def generic[T, U: int = str, *Ts = *tuple[int], **P = [int, str]](a: T) -> U: ...


@decorator
@decorator.attribute[0](1, *two, three=3, **four)
@(lambda f: f)
@named := decorator
async def coroutine():
    await first
    async for i in second:
        continue
    else:
        pass
    async with third as t, fourth:
        break
    async with (third as t, fourth,): break
    return [x async for x in y if await z]


class Empty: pass


class Bases(A, *B, metaclass=M, **kwargs):
    x: int = 1
    y: str
    (z): float
    self.a: int = yield
    b[0]: int = 1, *c


class Generic[T = int](Base[T]):
    '''Docstring.''';


del a, b.c, d[0], (e, f), [g, [h]], (i), ()
del (j),

a = b = c, *d = e
[a, *b] = (c, (d, [e])) = f
(a) = (b.c) = d[0] = (yield), 1
*a, = b
a += 1; b -= 2; c *= 3; d /= 4; e //= 5; f %= 6; g @= 7
a &= 1; b |= 2; c ^= 3; d >>= 4; e <<= 5; f **= 6; (g) += yield
h.i += 1, *j

type Alias = int
type Alias[T, *Ts, **P] = dict[T, P]
type = 1
type(x)
type[x]
type, match, case, _ = print, print(), {}, 1

for i in 1, *range(3):
    pass
for i, (j, *k) in x: break
else: pass
for x.y in z: continue
for x[0], in z: continue
for (x) in (z): continue

while (n := n - 1): pass
while True:
    pass
else:
    pass

if a: pass
elif b: pass
elif c:
    pass
else: pass

if x:
    if y:
        pass
    else:
        pass

with a: pass
with a, b as c, (d) as (e, f): pass
with (a, b): pass
with (a as b): pass
with (a, b as c.d, e as f[0],): pass
with (a), (b): pass
with (a, b) as c: pass
with (a, b), c: pass
with (a, *b): pass
with (): pass
with (yield): pass
with (a := b): pass
with (a for a in b): pass
with (a).b as [c, *d]: pass
with (a
      , b): pass

match x:
    case 1 | -1 | 1.5 | -2j | 1 + 2j | -1 - 2j: pass
    case 'a' 'b' | b'c' | None | True | False: pass
    case a.b | a.b.c: pass
    case (a): pass
    case [a, *_, b] | (a, *rest) | [*_] | [] | (): pass
    case a, : pass
    case *a, b: pass
    case (a, b), [c]: pass
    case {}: pass
    case {'a': 1, 2: b, None: _, a.b: c, -1: d, **rest}: pass
    case {**rest,}: pass
    case A(): pass
    case a.B(1, c, d=2, e=f,): pass
    case A(b=1): pass
    case (1 | 2) as n if n > 1: pass
    case [1, 2 as two] as pair: pass
    case _: pass
match x, *y:
    case _:
        pass
match (x):
    case _ if (y := x): pass
match = {}
match[x]
match(x)
match.x
match * x
match -x
match in x

raise
raise A
raise A from b

try: pass
finally: pass

try:
    pass
except:
    pass

try: pass
except A: pass
except B as b: pass
except (C, D): pass
except E, F: pass
except G,: pass
else: pass
finally: pass

try: pass
except* A: pass
except* B, C: pass
except *D as d: pass

assert a
assert a, 'b'

def scopes():
    global a
    global b, c
    nonlocal d, e

pass; break; continue
if a: b; c;
