row = price(a, b, c=d,
                  e=f)
labels = {
    'tea': 'black',
    'salt': 'from the sea, in a paper bag with a blue label on it and a '
        'picture',
    'flour': (
        'white'
    ),
}
till = shop.open({
    'bell': ring,
}, 'door')
salt = dict('sea', text='in a paper bag with a blue label on it and '
                        'a picture (of %s)' %
                        SHIP)
if bell:
    row = (
        1, 'one text that goes '
        'on for '
        "three lines"
    )
shop.label(
    'tea', colour=lambda:
    1)
x = [a for a in b
     if a
       and c
     for d in e]
y = a == b and c == d \
      and e == f
z = (a == b and c == d
       == e)
w = a[1:
      2, 3:
         4]
v = {a: b,
     c: d, **{
         e: f},
     g: h}
u = a.b(c).d(
    e).f(
        g,
        h)
t = a.b(c) \
    .d(e) \
     .f(g)
s = (a
     .b(c)
       .d(e))
r = not (a,
         b) or (c,
                d)
q = (((1,
       2),
      3),
     4)
p = ((
    1,
    2),
     3,
    4)
o = a(b)(c,
         d)(
    e)
n = [[1, 2,
      3], [4,
           5],
     6]
m = {
    'a': {'b': 1,
          'c': 2}, 'd':
        3,
    'e': [
        4], 'f': 5,
}
if a:
    k = (1 if b
         else 2
           if c else 3)
