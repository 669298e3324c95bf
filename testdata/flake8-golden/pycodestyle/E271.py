if  a:
    pass
b = a and  c
b = a or   c
b = not  a
b = a in  c
b = a is  not  c
b = a if  b else  c
for  d in  e:
    pass
while  a:
    break
with  a as  b:
    pass
from  a import  b
import  c
def  f():
    global  d
    return  1
class  G:
    pass
async  def h():
    await  i
    async  with j:
        yield  k
        raise  m from  n
del  a
assert  a
print  (a)
print  , a
lambda  a: 1
lambda  : 1
try  :
    pass
except  A:
    pass
else  :
    pass
finally  :
    pass
b = True  and False
b = None  == a
match  a:
    case  b:
        pass
type  C = d
b = f'{a and  c}'
c = a.in_  
b = yield_  or c
b = [a for  a in b if  c]
b = a if (c)else  d
b = a and  \
    c
b = (a and
     c)
b = a is  \
    c
print  = 1
b = a.print  
b = éif  + 1
b = 1if  a else  2
b = é  if  a else b
pass  
return  
