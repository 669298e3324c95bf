if a:
    b = [1,
        2]
        # comment 