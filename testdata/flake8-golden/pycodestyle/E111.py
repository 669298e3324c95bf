if True:
  a = 1
if True:
     b = 2
for c in ():
   if c:
       d = c
   else:
      d = 0
class E:
 f = 1
