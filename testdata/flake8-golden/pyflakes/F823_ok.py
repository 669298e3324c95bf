import os
a = 1


def function():
    a = 2
    print(a)
    os = a
    return os


def other():
    print(a)
    return [a for a in [a]]


def third():
    global a
    print(a)
    a = 3


class Class:
    print(a)
    a = a
