"""global and nonlocal: what they define, and what they take back."""
print(defined_below, never)


def function():
    global defined_below, never, _, imported
    defined_below = 1
    import imported
    local = 1

    def inner():
        nonlocal local
        local = 2
        global from_inner
        from_inner = 1
    return inner


print(defined_below, never, imported, from_inner, local)
global at_module
at_module = 1


class Class:
    global in_class
    in_class = 1

    def method(self):
        global in_method
        for in_method in []: pass
        nonlocal unknown
        print(unknown)
        return in_class


print(in_class, in_method)


def redefinition():
    global function
    def function(): pass
    global Class
    import Class


def unused():
    global a, b, c
    a = b
    c: int
    d = 1
    global d
    lambda: (yield d)
