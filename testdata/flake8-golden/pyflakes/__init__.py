"""A package: it has a path, and may export modules that it does not import."""
import unused
import exported
from . import sibling, undefined_sibling as alias

print(__path__, __file__, __name__, undefined)
__all__ = ['exported', 'submodule', 'sibling']


def function():
    return __path__


class Class:
    print(__path__, __module__)
