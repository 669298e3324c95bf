import a
import b.c as d
from e import f, g
import h; i = 1, 2
from j import (k,
               m)
importance = 1, 2
if n: import o, p
