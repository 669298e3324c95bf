"""Names that are defined somewhere."""
import builtins
print(len, Exception, ExceptionGroup, aiter, anext, EncodingWarning, builtins)
print(__name__, __file__, __doc__, __builtins__, WindowsError, __debug__)


def before():
    return after(), Class, late


def after(*args, **kwargs):
    def recursive():
        return recursive, args, kwargs
    return recursive


class Class:
    def method(self):
        return __class__, super(), Class

    __module__, __qualname__, __name__
    attribute = 1
    other = [attribute for _ in range(attribute)]


late = [x for x in range(3)]
for i in late: print(i)
else: print(i)
with open('f') as (j, k): print(j, k)
try: pass
except ValueError as e: print(e)
if (n := 1): print(n)
match n:
    case [o, *p]: print(o, p)
    case {'a': q, **r}: print(q, r)
    case Class(s, t=u) | Class(u, t=s) as v: print(s, u, v)


def generic[T: int, *Ts, **P](x: T, *y: *Ts) -> P: return T


type Alias[K] = list[K] | Alias[K]
