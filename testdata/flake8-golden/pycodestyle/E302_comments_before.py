"""Doc."""
def a():
    pass


b = 1
# comment

# comment
# comment

@c
# comment
@d(
    e,
)
# comment
def f():
    pass


@g
class H: pass
@i
class J:
    pass


def k(): ...
@overload
def m(n: int) -> int: ...
@overload
def m(n: str) -> str: ...
def m(n): return n
def o(
    p,
): return p
def q(): return """
"""
def r(): return 1
    # comment
def s(): return 2
# comment
def t(): return 3
@u
def v(): return 4
@w

def x(): return 5
def y():
    return 6
def z(): return 7
