a = 1 + \
    2
b = (1,
     2)
c = 'one' \
    'two'
d = (1,  # comment \
     2)
e = ("""\
one \
""")
f = ('one\
two')
g = (1) \
    + 2
assert h, \
    i
with j as k, \
        m as n:
    pass
