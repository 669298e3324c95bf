import os
a = b = c = 1


def function():
    print(a, os)
    a = 1
    print(b)
    for b in []: pass
    print(len)
    len = 2
    print(c)
    del c
    import os
    return a, len, os


class Class:
    print(a)
    a = 2

    def method(self):
        print(b)
        b = 1
        return b


def nested():
    d = 1

    def inner():
        print(d)
        d = 2
        print(a)
        [a for a in []]
        a += 1
        print(max)
        def max(): pass
        return d
    return inner
