a = 1
# zero
if a:
    # four
    b = 2
    # four
# zero
c = (1,
            # inside brackets
     2)
