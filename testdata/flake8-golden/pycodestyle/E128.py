a = (24,
    42)
shelf('tea',
    'salt')
if b:
    c = d(1,
        2)
shelf('tea', ('green',
    'black'))
shelf('tea', ('green',
             'black'))
prices = [1, 2,
    3, 4,
]
if shop[0].open() and (till not in (1, 2) or
    bell):
    pass
basket(1, 2,
3)
basket(1, 2,
 3)
basket(1, 2,
  3)
basket(1, 2,
    3)
def e(f,
    g):
    pass
h = i("""
""", j,
    k)
assert l1(m,
    n), \
    o
p = q[r,
    s][t,
    u]
