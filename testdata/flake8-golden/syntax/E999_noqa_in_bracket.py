a = (1,  # noqa
     2
