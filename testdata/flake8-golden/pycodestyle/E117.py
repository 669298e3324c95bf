if a:
        b = 1
if c:
            # twelve, comment
            d = 1
class E:
    def f(self):
            pass

    def g(self):
         # nine
        pass
if h:
     i = 1
