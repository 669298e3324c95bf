a = = 1  # noqa
b=1
