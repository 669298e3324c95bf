assert (a and
        b)
assert a and \
       b
assert a(
    b), \
       c
raise A(b) \
      from c
raise A(
    b) from \
      c
with a as b, \
     c as d:
    pass
with a() as b, \
   c as d:
    pass
with (a as b,
      c as d):
    pass
with (
    a as b,
    c as d,
):
    pass
if a and \
   b:
    pass
if a(b) and \
   c:
    pass
if (a) and \
   (b):
    pass
if not a and \
       b:
    pass
elif c and \
     d:
    pass
while a and \
      b:
    pass
returned = a and \
           b
asserted = a, \
           b
async def f():
    async with a as b, \
               c as d:
        pass
    async with a as b, \
         c as d:
        pass
    await (a,
           b)
    return a, \
           b
del a, \
    b
print(a if b else
      c if d else
      e)
x = y if z else \
    w
