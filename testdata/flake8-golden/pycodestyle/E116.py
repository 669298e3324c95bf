a = 1
    # four
b = 2
if a:
    c = 3
        # eight
            # twelve
    d = 4
  # two
        # eight
e = 5
 # at the end
