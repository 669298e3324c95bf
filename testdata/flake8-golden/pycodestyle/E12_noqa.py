a = (24,
    42)  # noqa
b = (24,  # noqa
    42)
c = (24,
    42  # noqa: E128
     )
d = (24,
    42)  # noqa: E1
e = (24,
    42)  # noqa: W,E2
