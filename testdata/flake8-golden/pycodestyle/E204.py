@ a
def b():
    pass


@  c
@	d
@e
@ f.g(1)
class H:
    @ i
    def j(self):
        pass

    @ \
        k
    async def m(self):
        pass
