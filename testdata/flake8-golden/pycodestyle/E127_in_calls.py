if (a or
      b):
    pass
basket(1, 2,
        3)
basket(1, 2,
              3)
basket(tea=1,
          # comment
      salt=2)
shop.write(till, {
    'open': True,
    'bell': ring,
       'name': name,
    })
x = {'a': 1,
     'b': [
          2],
        'c': 3}
shop.label('tea', colour='green',
           text="one cup in the morning "
                "and another at noon, which "
                   "is plenty")
