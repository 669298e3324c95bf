a  = 1
b = 1  + 2
c = b   - 1
d  += 1
e = a  == b
f  : int = 1
if a  < b:
    pass
g = a  if b else c
h = (a   := 1)
i = a  @ b
j = a  ** b
k = a  // b
m = a  << b
n = a   and b
def o()  -> int:
    pass
p = [a   % b]
q = (  - 1)
r = f(a  =1)
s = a  != b  >= c
t = f'{a  + b}'
u =   -1
v = a,  -1
w = a[1:  -1]
x = ~  a
y = a  ^ b  & c  | d
z = a.  b  .c
aa = not  -1
bb = 'a'  'b'  + 'c'
cc = f'{a  = }'
a = (1,
     2  + 3
     +  4)
dd = lambda *, a  =1: a
ee = a  \
    + b
