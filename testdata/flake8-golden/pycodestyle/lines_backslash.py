a = \
    1
b = 1 + \
    2 \
    + 3
\
c = 1
if d: \
    e = 1
if f and \
   g:
    pass
h = 'one' \
    'two'
i = [1, \
     2]
def j(k, \
      m): \
        pass
class N( \
        O):
    pass
import p, \
    q
from r import s, \
    t
return_ = \
    \
    1
assert u, \
    v
with w as x, \
        y as z:
    pass
a. \
    b. \
    c()
for d \
        in e:
    pass
@f \
    .g
def h(): \
    return 1
i = 1 \
    if j \
    else k
m = lambda \
    n: \
    o
p = not \
    q
r = s is \
    not \
    t
if u:
    \
    v = 1
z = 1; \
    a = 2
b \
    = 1
c += \
    1
d: \
    int \
    = 1
del e, \
    f
g = h[ \
    1]
raise i \
    from j
k = """ \
""" \
    + m
while n \
        and o: pass
try: \
    pass
except: \
    pass
p = 1 \

q = 2 \
    + 1 \
    + 2	\

r = 3 \
\
\

s = 4
