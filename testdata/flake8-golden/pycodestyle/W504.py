a = (1 +
     2)
b = (1 -
     2 *
     3)
c = (d and
     e or
     f)
g = (h not
     in
     i)
j = (k is
     m)
o = (p if
     q else
     r)
s = (t ==
     u !=
     v <
     w >=
     x)
y = (z |
     a &
     b ^
     c <<
     d >>
     e)
f = (g //
     h /
     i **
     j %
     k @
     m)
n = 1 + \
    2
o = (p +  # comment
     q)
r = (s +

     # comment

     t)
u = (v.
     w)
x = (y +
     -z)
a = (b +
     not_)
c = (-
     d)
e = (f +
     """
""")
g = (h +
     f'''
''')
i = (j := \
     k)
m = f'''{n +
    o}'''
p = (q and
     not r)
s = [*
     t]
u = v(*
      w, **
      x)
def y(*
      z, **
      a) -> \
        b:
    pass
c = (d and
     -e)
f = (g or
     (h))
i = (j *
     [k])
m += \
    n
o = \
    p
q = (r +
     'text')
s = (t + u
     + v -
     w)
x = (y
     -
     z)
a = ("""
""" +
     b)
match a:
    case (1 |
          2):
        pass
lambda: (a +
         b)
c = (d ==
     ~e)
f = (g <
     h) >> \
    i
j: k | \
    m = 1
n = f'''{o
    +
    p
    }''' + \
    q
r = {s +
     t: u *
     v}
