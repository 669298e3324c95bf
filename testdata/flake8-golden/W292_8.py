if a:
    pass
    # comment