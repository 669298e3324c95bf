def a():
    def b(): pass
    c = 1
    def d(): pass
    def e():
        pass
    def f(): pass
    @g
    def h(): pass
    for i in j:
        k = 1
        def m():
            pass
    n = [
1,
    ]
    def o():
        pass
    p = """
class Q:
"""
    def r():
        pass
    s = """
  def t():
"""
    def u():
        pass
    return p
def v(): pass


class W:
    def x(
        self,
    ):
        y = 1
        def z():
            pass
    def a(self,
          b):
        c = 1
        def d():
            pass
