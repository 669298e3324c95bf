if __name__:
    from os import *
getcwd()


def function():
    from os import path
    return path
