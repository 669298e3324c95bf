def a():
    pass


async def b(c: d) -> e:
    pass
class F: pass
define: int = 1
def g(  # comment
):
    return 1
