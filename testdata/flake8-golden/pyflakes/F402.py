"""Loops that take the name of an import."""
import a, b, c, d, e, f, g
from h import h, i
for a in range(3): pass
for b, (c, *d) in []: print(b)
for e.attribute, f[0] in []: pass
for h in []:
    for i in []: pass
print(z)
import z
print(z)
for z in []: pass


async def function():
    async for g in x(): pass
    import j
    async for j in x(): pass
    for i in []: pass
    return [k for k in k]


def x():
    return []
