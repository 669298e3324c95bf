if a:
# zero
    b = 1
class C:
    def d(self):
    # four
        pass

    def e(self):
# zero again
    # four again

        # eight at last
        pass
for f in g:

# after a blank line

    h = 1
