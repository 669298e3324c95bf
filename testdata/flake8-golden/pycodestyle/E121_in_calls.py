prices = {
   'tea': 1,
   'salt': 2,
}

basket.fill(sorted((
            'tea', 'salt',
            'flour'),
          reverse),
    1)

total = 1 + \
          2 + \
   3

label = wrap((
    text.get('tea', 'salt')),
                'flour')
till = [price(
   1), price(
  2)]
row = (
       1,
       2)
