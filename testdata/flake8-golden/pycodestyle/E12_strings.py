a = ('one'
     'two'
     f'three'
     f'four {b}'
     r'five')
c = d('one'
      f'two'
        'three', f'four'
                 'five',
      t'six'
       t'seven')
e = 'one' \
    'two' \
      'three'
f = ("""
one
""" 'two'
    'three', """four
    """,
     g)
h = (
    'one'
    'two'
        'three'
)
i = [
    """one
two""",
    """three
        four""", 5,
       6]
j = ('''
''' +
'''
''')
k = f"""{
    l2}
    {m
     + n}
""" + o(
    p)
q = f"""
{r(1,
   2)}
{s(1,
  2)}
{t(
  3)}
"""
u = (f'{
    v}',
     w)
print('a', end=''  # comment
                   # comment
      )
x = [  # one
       # two
    1,   # three
         # four
    2]
