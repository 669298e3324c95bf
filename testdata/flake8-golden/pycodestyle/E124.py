a = (24,
     42
)
b = (24,
     42
   )
if c:
    d = e(1,
          2
              )
total = add(price,
            tax,
    )
shelf('tea', ('green',
              'black'
             ))
shelf('tea', ('green',
              'black'
))
f = (1,
)
g = [
    1, 2,
    3,
        ]
h = i(j,
      k(
          l2,
          m
      ), n,
)
h = i(j,
      k(
          l2,
      ),
      m,
  )
o = p(q,
      'one'
      'two' %
      r
        )
