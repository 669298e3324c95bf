if (
    b):
    pass
if shop is None and \
    till == 'full':
    till = 'empty'
if (""" 
    """):
    pass


def f(
    a,
    b):
    pass


def g(
    a,
    b
    ):
    pass


for c in d(
    1,
    2):
    pass
with e(
    1), \
    h:
    pass
while (
    True
    and False
    ):
    pass
