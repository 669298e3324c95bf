from a import(b)
from a import*
if(a):
    pass
elif(b):
    pass
while(a):
    pass
assert(a)
del(a)
def f():
    return(a)
    yield(a)
    raise(a)
b = not(a)
b = a in(c)
b = a and(c) or(d)
b = a if(b) else(c)
for a in(b):
    pass
with(a) as(b):
    pass
try:
    pass
except(A):
    pass
b = [a for(a) in(b) if(c)]
b = lambda*a: 1
b = lambda**a: 1
b = not-a
b = a if-b else-c
b = not[a]
b = not{a}
b = not'a'
b = a in'b'
b = f'{a if(b) else c}'
class G: pass;
def h(): return;
async def i():
    await(j)
    return[1]
pass;
b = (yield)
b = [(yield)]
b = ((yield), 1)
b = print(1)
match(a):
    case(b):
        pass
type(a)
b = True(1)
b = None[0]
b = a is(b)
b = a is not(b)
import a; import c
try:
    pass
except* A:
    pass
except*B:
    pass
except*(C):
    pass
try: pass
except: pass
else: pass
finally: pass
from .import a
from.import a
from...a import b
b = a if b else...
b = lambda:1
b = lambda: (yield)
b = a and\
    c
b = [a and
     c,
     not
     d]
b = not~a
b = a or"b"
if a: pass# comment
b = (not# comment
     a)
b = f'''{not
a}'''
b = {a: lambda:{}, b: (yield)}
b = (yield
     )
b = (lambda
     : 1)
def j(): yield;
while a: break;
while b: continue# comment
