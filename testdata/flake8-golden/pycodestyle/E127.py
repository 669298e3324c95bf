a = (24,
      42)
shelf('tea',
           'salt')
if b:
    c = d(1,
             2)
shelf('tea', ('green',
                 'black'))
shelf('tea', (

    'green',
     # 'white',
    'black'))
def pay(till, item, price, tax, rate=None,
         discount=min(1, 2)):
    """Pay for one item."""
if (a == """
    """, b == 1 or
                 c):
    pass
e = f('one'
       'two')
g = [h for h in i
      if h]
j = k(l, [m,
           n], o,
        p)
assert (q ==
          r)
