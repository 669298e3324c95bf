def a():
    pass
b = 1
class C:
    pass

d = 1
def e():
    pass
# comment

f = 1
def g(): pass
h = 1
def i(): pass

j = 1
@k
def m():
    pass
n()
async def o():
    pass
p = 1
async def q(): pass

r = 1
class S: pass
if t:
    pass
def u():
    pass



v = 1
def w():
    pass

# comment

# comment
x = 1
def y():
    pass
    # comment
z = 1
def a():
    def b():
        pass
c = 1
class D:
    def e(self):
        pass
    f = 1
g = 1
def  h(): pass
i = 1
class	J: pass
k = 1
def m(
        n):
    pass
o = 1
define = 1
p = 1
