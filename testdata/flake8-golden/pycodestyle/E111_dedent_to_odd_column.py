if True:
    a = 1
  if True:
    b = 2
      c = 3
