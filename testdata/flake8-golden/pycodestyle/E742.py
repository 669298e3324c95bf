class l: pass
class O(A):
    pass
class I[T]:
    pass
class  l(
        B):
    pass
@c
class O: d = 1
class E:
    class I:
        class l: pass
class \
        O: pass
