if a:
    if b:
        c = 1
  if d:
    e = 1
if f:
 g = 2
