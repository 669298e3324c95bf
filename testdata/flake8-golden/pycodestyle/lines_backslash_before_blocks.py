if a:
  \
    b = 1
  c = 2
if d:
        \
  e = 1
        f = 2
\
g = 1
\

h = 1
