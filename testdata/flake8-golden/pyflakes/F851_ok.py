"""Names of lazy imports that are read later, or not at all."""
lazy import a, b.c, d as e
lazy from f import g, h as i
import eager

print(eager, lambda: a, (a for x in eager), ([b for y in e] for x in eager))
p: a
q: 'e' = 1


def function(x: a, y: 'b.c') -> e:
    def inner(z=a):
        return [z for z in b]
    return inner, g, i


class Class:
    e: e

    def method(self, x: a):
        return x, a, b, e


type A[T: a] = b
__all__ = ['i']
del g
lazy import os
os = 1
print(os)
