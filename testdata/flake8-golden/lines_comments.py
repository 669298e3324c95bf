# one
# two

# three
