def a():
    pass
if __name__ == '__main__':
    a()
class B:
    """Doc."""
"""text"""
def c(): pass
import d
def e(): pass
(f,
 g) = 1, 2
def h(): pass
'text'
def i():
    pass
try:
    pass
except J:
    pass
else:
    pass
def k():
    pass


# comment
m = 1
def n():
    pass
# comment


o = 1
def p():
    pass


# comment

q = 1
def r():
    pass
s = """
def t(): pass
"""
u = 1
def v(): pass

w = 1
