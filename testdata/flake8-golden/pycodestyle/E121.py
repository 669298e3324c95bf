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
f = g(
    1, h(
      2,
    ),
    i(
     3,
    ),
)
if True:
    j = (
      1,
      )
shelf = stock(
  'tea',
 # a comment further out
  'salt',
   'flour', (
    'rice',
   ))
