"""Annotations, in quotes and without: their names may be defined further below."""
import typing
from typing import Optional
a: later = 1
b: 'later' = 2
c: undefined = 3
d: 'undefined' = 4
e: Optional['undefined'] = 5
f: 'Optional[undefined]' = 6
g: 'Optional["undefined"]' = 7
h: undefined
i: list['undefined'] = []
j: typing.Literal['undefined'] = 8
k: typing.Annotated['undefined', 'nothing', nothing] = 9
m: typing.Annotated['undefined'] = 10
n: Literal['undefined'] = 11
o: 'x.y[undefined]' = 12
p: (q := undefined) = 13


class later:
    def method(self, other: later, same: 'later', own: Inner) -> 'Inner':
        local: later = other
        wrong: undefined = local
        never: 'undefined'
        return wrong

    class Inner:
        x: Inner
        y: 'Inner'
        z: later


def function(x: annotated_only, y: 'function') -> only: pass


only: int
annotated_only: int
print(only)


def use():
    inner: int
    other: inner
    print(inner)
    return other


async def coroutine(*args: undefined, **kwargs: 'undefined') -> [undefined]: pass
lambda x=undefined: x
x[undefined]: undefined
x.y: 'undefined'
(z): 'undefined' = 1
