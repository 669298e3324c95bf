def outer(a):
    def first(): pass
    def second():
        if a: pass
    lambda: 0
    return first, second


def classes(a):
    class Inner:
        def method(self):
            if a: pass

        def other(self): pass
    return Inner


def chain():
    def a():
        def b():
            def c(): pass
