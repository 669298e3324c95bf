if (
        b):
    pass
if a(b,
     c):
    pass
if d(
    e
):
    pass
x = (
    1)
