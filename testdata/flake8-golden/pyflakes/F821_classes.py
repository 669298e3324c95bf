"""What a class body sees, and what sees it."""
x = 1


class Class:
    a = 1
    b = a
    c = [a for _ in [a]]
    d = [_ for _ in [a] for _ in [a]]
    e = [(lambda: a) for _ in [a]]
    f = lambda: a
    g = {a: a for _ in [a] if a}
    h: a = (a for _ in [a])
    i = f'{a} {[a for _ in [a]]}'

    def method(self, default=a, annotated: a = b) -> a:
        print(a, x, Class, __class__)
        return [a for _ in [a]]

    @method
    def decorated(self): pass

    class Inner(b, metaclass=a):
        j = a
        k = x
        m = __class__

        def method(self): return j

    def generic[T: a](self, x: T, default=a) -> T: return T

    type Alias = a
    type Alias2[T] = a | T
    if a:
        n = a
    n
    del n
    n
    __class__


print(a, Class.a)


class Generic[T](Base[T], key=T):
    x: T

    def method(self) -> T: return T
print(T)
