lazy from os import *
lazy from os.path import *
lazy from . import *
lazy from ..spam import *
if __name__:
    lazy from eggs import *
print(sep)
