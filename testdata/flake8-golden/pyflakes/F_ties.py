"""Several findings at one place."""
import b, a, c as d
from e import g, f, h as i
from j import *
x = {undefined: 1, undefined: 2}
'%(a)s %(b)y' % {'c': 1}
'{} {a}'.format(1, 2, b=3)
def function(a, b, a, b): global x, y
__all__ = ['m', 'n']
