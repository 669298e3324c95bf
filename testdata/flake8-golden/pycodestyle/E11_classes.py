class A:
    pass
  # two
    # four
class B:

    a = 1
    def c(self):
        if self:
            return 1
         # nine
        else:
          # ten
            return 2
      # six
        return 3
# zero
    # four
        # eight
if a: pass
    # after a one-line block
if a: b = {
    1: 2}
    # after brackets
c = 'x:'
    # after a string with a colon
if d:  # comment:
    e = 1
else:
    pass  # comment:
    # same
        # deeper
for f in g: h = lambda:\
    1
        # deeper
