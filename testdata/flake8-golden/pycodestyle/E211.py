print (1)
a [1]
b (2) (3)
c[1] (2)
d[1] [2]
e = {1} [2]
f = (1) [0]
class G (object):
    pass
def h (i):
    pass
def j[T] (k):
    pass
class M [T]:
    pass
type (1)
match (1)
case (1)
_ (1)
type N [T] = int
n = print	(1)
o = 'a' [0]
p = 'a' (1)
q = 1 [0]
r = a.match (1)
s = a.type (1)
t = f'{a (1)}'
u = True (1)
v = None [0]
w = f'a' [0]
x = a \
    (1)
y = (a
     (1))
z = (a  # comment
     [1])
a.b (1)
async def aa (bb):
    await (bb)
    yield (bb)
    return (bb)
if (a) and (b) or not (c):
    print(*(a), ** (b))
for (d) in (e):
    del (d)
match (a) [0]:
    case (1):
        pass
    case G (1):
        pass
    case [1, (2)] | (3):
        pass
