b = a  and c
b = a   or c
b = a  in c
b = a  is c
b = a is  not c
b = a  if b  else c
for d  in e:
    pass
with a  as b:
    pass
from a  import b
async  def f():
    pass
b = [a  for a in b  if c]
b = (  not a)
b = a,  not c
b = lambda:  lambda: 1
b = 1  and 2
b = 'a'  and 'b'
b = f'{a  and c}'
b =  not a
b = a ==  not_
if a:  pass
if a:  return_
b = a  \
    and c
b = a and  print
raise a  from b
b = a  is  not  c
b = (a)  and [c]  or {d}
b = {a:  not c}
print(  print)
b = a  and True
b =  None
b =  lambda: 1
b = [  lambda: 1]
b = a.b  and c
x =  yield_
except_  = 1
import a  as b
a = 1;  import b
a;  del a
(yield  (await_  if a else b))
