a = (24,
     42)
b = c('one'
      'two',
      d=(
          1))
e = f(g, 'text'
         'text')
if (h and
        i):
    pass
