if a:
    b = 1
if c:
  d = 1
if e: f = 1
g = h[1:
      2]
