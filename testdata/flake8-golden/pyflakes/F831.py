def function(a, a): pass
def positional(a, /, a): pass
def keyword(a, *, a): pass
def stars(*a, **a): pass
def star(a, *a): pass
def three(a, b, a, b, a): pass
async def coroutine(self, self): pass
lambda a, a: a
lambda a, *a: lambda b, **b: b


class Class:
    def method(self, é, é=1): return é
    x = lambda self, self: 1


@lambda a, a: a
def decorated(a=lambda b, b: b): pass
