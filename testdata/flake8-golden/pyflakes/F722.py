import typing
from typing import Annotated, Literal, Optional, cast
w: 'a b' = 1
x: '' = 1
y: 'x = 1' = 2
z: 'x; y' = 3
a: 'x\ny' = 4
b: ' x' = 5
c: "it's" = 6
d: 'é é' = 7
e: 'x' 'y z' = 8
f: Optional['a b'] = 9
g: typing.List['('] = 10
h: 'Optional["a b"]' = 11
i: 'Literal["a b"]' = 12
j: Annotated['a b', 'c d'] = 13
k: Literal['a b'] = 14
m: '\\' = 15
n: '\x00' = 16
o: '\t"' = 17
p: '# x' = 18
q: 'pass' = 19
r: f'{w} b' = 20
s: f'a b' = 21
t: f'{"a b"}' = 22
u: b'a b' = 23
v: {'a b': 'c d'}['e f'] = 24


def function(a: '1 2', *b: ')', c: 'x y' = 1, **d: 'y z') -> 'return':
    e: 'a b'
    f: 'c d' = 1
    g.h: 'e f' = 2
    i[j]: 'g h' = 3
    return cast('a b', e), f


class Class:
    a: 'a b'
    b: '[' = 1

    def method(self) -> 'x y': pass
