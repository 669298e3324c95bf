from typing import Annotated, Literal, Optional, cast
w: 'int' = 1
x: '(int)' = 1
y: "Optional['int']" = 2
z: Literal['a b', 'c d'] = 3
a: Annotated[int, 'a b', 'c d'] = 4
b: Optional[Literal['a b']] = 5
c: 'int # comment' = 6
d: 'int\n' = 7
e: b'a b' = 8
g: 'lambda: 0' = 10
h = 'a b'
i = cast(int, 'a b')
j: '(\nint\n)' = 11
k: 'yield' = 12
m = ['a b']
m['a b']
