"""An import that is redefined before it is used is named twice."""
import a
import b
import c
import d
a = 1
def b(): pass
class c: pass
def d():
    d = 1
    return d
