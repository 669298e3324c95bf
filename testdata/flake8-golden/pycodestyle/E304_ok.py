@a
def b():
    pass


@c
# comment
@d
class E:
    @f
    def g(self):
        pass


h = (i
     @ j)

k = 1
