 # one
a = 1
  # two
if a:
   # three
    b = 1
     # five
    c = 1
# zero
      # six
