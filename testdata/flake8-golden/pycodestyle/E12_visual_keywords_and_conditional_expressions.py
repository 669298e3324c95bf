return a \
    if b \
    else c
return a(b) \
       if c else d
return not a \
   if b else c
yield a \
      if b else c
pass; return a \
          if b else c
del a.b \
    .c
a if b else \
  c
a(b)if c else \
    d
return (a) \
  if (b) \
     else (c,
           d)
a(1, 2,
  3)(4,
     5)[6,
        7]
assert(a,
       b)
assert (a), \
       (b)
raise(a
      )
with(a)as b, \
     c: pass
if(a and
   b): pass
if a(
   b): pass
if  (a and
     b): pass
if  a and \
    b: pass
if not(a and
       b): pass
