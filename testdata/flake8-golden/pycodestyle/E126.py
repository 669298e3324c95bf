a = (
        42)
b = [
            1,
            2,
]
c = {
         'd': 1,
     'e': 2,
}
if f:
    g = h(
            1,
            )
mv = i(
       1,
       2)
total = 1 + \
        2 + \
        3 + 4
shelf('tea', (
            'green',
            # 'white',
            'black'))
basket.fill(sorted((
            'tea'),
        'salt'),
            'flour')
j = 1 \
          + 2
