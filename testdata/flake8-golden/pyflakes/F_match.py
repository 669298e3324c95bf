"""match and its captures."""
import used
import shadowed
from re import Match


def function(value, undefined_class=None):
    match value:
        case 0 | -1 | 1 + 2j | 'a' 'b' | None | True: pass
        case used.CONSTANT | undefined.CONSTANT: pass
        case [a, b, *rest]: return a
        case (c, _, *_): pass
        case {'k': d, used.KEY: e, **others}: return others
        case {**f}: pass
        case Match(g, group=h): return h
        case Undefined(i=j): pass
        case (k | k) as m if k and undefined_guard: pass
        case shadowed: pass
    match (n := value):
        case _ as o: pass
    match value:
        case p: return p


match undefined_subject:
    case q: pass
    case [r, s] if r: print(s)
print(q, t)
