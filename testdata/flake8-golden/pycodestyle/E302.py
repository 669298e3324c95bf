a = 1
def b():
    pass

def c():
    pass
async def d():
    pass

async  def e():
    pass
class F:
    pass

class G:
    pass
@h
def i():
    pass

@j

def k():
    pass
# comment
def m():
    pass

# comment
def n():
    pass

# comment

def o():
    pass
"""text"""
def p():
    pass


if q:
    pass
def r():
    pass
def s(): pass
def t():
    pass
def u(): pass

def v(): pass
class W: pass
w = 1
class X: pass
x = 1

class Y: pass
type Z = int
def z(): pass
