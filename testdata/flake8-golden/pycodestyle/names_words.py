if·x  =  1
x =  a·in  + in·a
x = a·None == b
x = None·a != b
x = a == None·b
x = a == b·None == None
x = a·not not  in c
x = not a·not  in c
x = a·type(a) == b
x = a == type(a·b)
x = a == type(a)
if·x: int = 1
def·x: int = 1
class·x: int = 1
async·x: int = 1
lambda·x: int = 1
x·lambda = lambda: 0
x·lambdas = lambda: 0
def·x(lambda: 0, b = 1, c=2)
नमस्ते: int = lambda: 0
हिन्दी  = print  if x‿in  else  2


def a·b[T=int](c: int=1): pass


def b[T=int](c: int=1): pass


class C·[T=int]: pass


def f():
    """
def…
    """
    def g(): pass
    x = 1
    """
def·
    """
    def h(): pass
