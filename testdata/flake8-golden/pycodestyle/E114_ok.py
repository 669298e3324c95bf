# zero
if a:
    # four
    b = 1
    # four
   # a form feed
c = 1
