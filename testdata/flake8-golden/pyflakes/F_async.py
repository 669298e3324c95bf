"""Asynchronous forms."""
import a, b, c


async def function(x: a = undefined) -> b:
    async for y in x: pass
    async with x as z, x as (v, w): pass
    u = await x
    [t async for t in x if await t]
    {s: r async for s, r in x}
    async for c in x: pass
    try: await undefined
    except* ValueError as e: pass
    yield u
    async def inner(): return q
    q = 1


await function
async for p in []: print(p)
else: break
async with a as o: pass
async def function(): pass
