a = b[1:
      ]
    # after a slice
match a:
    case 1:
        pass
    case _:
    # outdented
        pass
try:
  # two
    pass
except A:
            # twelve
    pass
else:
# zero
    pass
finally:
 # one
 pass
