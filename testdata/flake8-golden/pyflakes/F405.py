"""Names that star imports may define."""
from os import *
from b import *
from a import *
getcwd()


def function(argument=default):
    global declared
    local = something + argument
    del nothing
    return [other for item in items if len(item)] + [local, declared]


class Class(Base):
    attribute = attribute
    __module__, __qualname__, __name__, __file__, __path__


augmented += 1
__all__ = ['function', 'exported', 'another']
try:
    guarded
except NameError:
    pass
