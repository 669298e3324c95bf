@a

def b():
    pass


@c


class D:

    @e

    def f(self):
        pass

    @g

    # comment
    def h(self):
        pass

    @i
    # comment

    def j(self):
        pass

    @k

    @m


    async def n(self):
        pass


@o



def p(): pass


@q(
    r
)

def s(): pass


@t  # comment

def u(): pass


@v
# comment

# comment
def w(): pass
