a = (1, \
     2)
b = [1 \
     ]
c = {1: \
     2}
d = f(1, 2, \
      3, \
      4)
g = (1 +
     2 + \
     3)
h = 1 + \
    2 + (3 + \
         4)
if (a and \
        b):
    pass
i = ('one' \
     'two')
j = (  # comment \
     1)
k = (1,  # comment \
     2)
m = ("""
""" \
     )
n = (\
     1)
o = ( \
     1)
p = (1 \
     \
     + 2)
q = f'{a + \
       b}'
r = f'''{a \
}'''
s = ("""\
""", \
     1)
t = ('one\
two', \
     1)
u = ('one\
two',
     1)
v = a[1: \
      2]
w = (1) + \
    2
x = ((1) + \
     2)
y = (1, 2 \
     ); z = 1, \
    2
def a(b, \
      c):
    pass
with (a, \
      b):
    pass
aa = (a  # comment
      + \
      b)
bb = (a,
      # comment \
      b)
cc = (r'\
' \
      )
dd = (f"""\
{a}\
""", \
      b)
ee = (a, \
    b)  # noqa
ff = (a \
     .b \
     .c)
gg = t'{a \
       }'
hh = (a, """
\
""")
