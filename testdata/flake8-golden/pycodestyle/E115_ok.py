if a:
    # four
    b = 1
# zero
if c:  # beside the header
    d = 1
if e:
        # eight
    f = 1
