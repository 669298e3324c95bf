a = (1
     + 2)
b = (c +
     -d)
e = \
    f
g = (h in
     i)
j = (k %
     m)
n = q + """
"""
o = (r @
     s)
t = (u,
     v)
