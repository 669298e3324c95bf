"""Functions are looked at last, in the order in which they were met."""


def first():
    undefined1
    def third():
        undefined3
        lambda: undefined5
    x = 1
    lambda: undefined4
    import a


def second(argument=undefined0): undefined2


class Class:
    def method(self):
        import b
        y = 1
        def inner(): undefined6
    import c
    undefined0


lambda: undefined2
[undefined0 for _ in [undefined0]]
import d
import e, f; import g
