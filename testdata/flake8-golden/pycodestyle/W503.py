a = (1
     + 2)
b = (1
     - 2
     * 3)
c = (d
     and e
     or f)
g = (h
     not in i)
j = (k
     in m
     is n)
o = (p
     if q
     else r)
s = (t
     == u
     != v
     < w
     >= x)
y = (z
     | a
     & b
     ^ c
     << d
     >> e)
f = (g
     // h
     / i
     ** j
     % k
     @ m)
n = 1 \
    + 2
o = (p  # comment
     + q)
r = (s

     # comment

     + t)
u = (v
     .w
     [x]
     (y))
z = (a,
     -b)
c = (d
     := e)
f = (
    -g)
h = ('one'
     'two'
     + i)
j = ("""
""" + k)
m = ("""
"""
     + n)
o = f'''{p
    + q}'''
r = (f'{s}'
     + t)
u = (v
     + -w)
x = (y +
     -z)
a = (b
     -
     c)
d = (e and
     not f)
def g(
        h
        = 1,
        *i,
        j: k
        |
        m = 1)\
        -> n:
    pass
o = p(p
      *q
      , **r)
s = [t
     for u in v
     if w
     and x]
y = {**z,
     'a': b
     + c}
d = e(*f,
      *g,
      **h)
i = (j if k
     and m else n
     or o)
p = (q ==
     r) + \
    (s
     -t)
u = (v)\
    *(w)
x = f'''
''' \
    + y
