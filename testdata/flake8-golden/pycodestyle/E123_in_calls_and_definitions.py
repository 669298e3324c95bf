def fill(
        shelf, box,
        item):
    print(item)


if a or \
    b(
        c
        ):
    pass
if (
        d
        ):
    pass
if (
    e
    ):
    pass
x = [  # with a comment
    'y'
    ]
z = [
    'a', [
        'b'
        ],
    'c', (
        'd'
    )
    ]
