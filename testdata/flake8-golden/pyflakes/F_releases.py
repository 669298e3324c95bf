"""What flake8 7.3.0 and 7.5.0 do not agree about."""
import spam
import typing
from typing import (
    Literal, NamedTuple, NewType, ParamSpec, TypeAlias, TypedDict, TypeVar,
    TypeVarTuple, assert_type, cast)
from eggs import A, B, C, D, E, F, G, H, I, J, K, L, M

hide = 1


def annotations(
        x: 'a b',
        *y: '1 +',
) -> '':
    z: 'c d' = 1
    return z


Forward: TypeAlias = Later
Later = 1
cast(typ='A', val=spam)
cast('a b', 'c d')
assert_type(spam, 'B')
NewType('N', 'C')
NewType(name='N', tp='D')
TypeVar('T', default='E')
T = TypeVar(T, int)
P = ParamSpec('P', default='F', bound='G')
Ts = TypeVarTuple('Ts', default='H')
TypedDict('TD', x='I')
NamedTuple('NT', x='J')
NamedTuple('NT', [('x', 'K'), ('y', 'L', 'M'), spam])
typing.cast(Literal['x y'], 1)
print({1: (p := 2), p: 3}, {**(q := {}), q: q})
print([x for x in (yield)], {x for x in (await spam)})


class Class:
    names = [name for name in __module__]
    later = [name for name in spam if __module__]


def function():
    unused = 1
    return [name for name in locals()]


def before():
    names = {name for name in hide}
    hide = 2
    return names


def outer(
        x,
        y,
):
    def inner():
        print(y)
        y = 1
        return y
    return inner


try:
    import ham
except ImportError:
    [0 for ham in spam]
for x in spam:
    def shadow(typing):
        return typing


def hooks():
    __tracebackhide__ = True
    del __tracebackhide__
    del __traceback_info__
