if a:
    b = 1
    def c():
        pass
    d = 1
    class E:
        pass
else:
    def f():
        pass
    def g():
        pass
try:
    pass
except H:
    i = 1
    def j():
        pass
for k in m:
    n = 1
    @o
    def p():
        pass
with q:
    r = """
def s():
    """
    def t():
        pass
class U:
    v = 1
    if w:
        def x(self):
            pass
        y = 1
        def z(self):
            pass
