import a
from b import c as d
__all__ = ['a', 'd', 'e', 'f', 'Class', 'g', 'h', 'len', '__doc__']
__all__ += [name for name in ['missing']]
__all__.extend(['missing'])
e = 1
for f in []: pass


class Class: pass


def function():
    global g
    g = 1
if a:
    h = 1
