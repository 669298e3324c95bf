a = (
42)
b = [
    1,
2,
]
if True:
    c = d(
    1,
    )
    e = f(
  2,
    )
    g = h(
        3,
 4)
if shop_is_open or till \
or bell:
    enter()
shelf('tea', (
    'salt',
'flour'))
assert a, \
b
prices = {
    'tea': {
    'green': 1,
    },
}
i = """one
two""", (
3)
