from os import *
from os.path import *
from . import *
from .sibling import *
from ...cousin import *
if environ:
    from sys import *
try:
    from re import *
except ImportError:
    pass
