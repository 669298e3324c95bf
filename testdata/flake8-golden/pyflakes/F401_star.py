"""A star import that gives nothing."""
from os.path import *
from . import *
from .. import *
from .package import *
from package.module import *
