"""A star import in another scope is not seen, and one further below is."""
used_before


def function():
    used_inside
    from a import *


class Class:
    from b import *
    member
from c import *
