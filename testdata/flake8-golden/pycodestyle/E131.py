a = (
    42
 + 24)
shelf('tea', (

    'green',
     # 'white',
    'black'))
b = [
    1,
      2,
   3,
        4,
]
c = d(
    'text',
       'text'
          'text',
    1)
if e:
    f = g(
        h,
            i,
      j,
    )
k = {
    'l': m(
        n,
          o),
      'p': q,
}
row = x \
    if y \
        else z
