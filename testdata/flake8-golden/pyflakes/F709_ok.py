from os import *
lazy from os import sep
lazy from os import (path, linesep as end)


def function():
    lazy from os import *
    return sep, path, end, getcwd()
