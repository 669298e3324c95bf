"""Functions see the module as it is in the end."""


def function():
    return later, imported, Late, deleted, conditional, looped, redefined


def other():
    deleted = 1
    return deleted


later = 1
import imported


class Late: pass


deleted = 1
del deleted
if later:
    conditional = 1
    del conditional
for looped in []: pass
def redefined(): pass
def redefined(): pass


class Body:
    later2
    function

    def method(self): return later2, Body


later2 = 1
