"""Strings that typing takes for types."""
import typing
import typing as t
import typing_extensions
from typing import Optional, TypeVar, cast, NamedTuple, TypedDict, TypeAlias
from typing import cast as convert
a = cast('undefined', 'nothing')
a = typing.cast('Optional["undefined"]', nothing)
a = convert(undefined, 'nothing')
a = cast()
b = TypeVar('nothing', 'undefined', undefined, bound='undefined')
b = t.TypeVar('nothing', covariant='nothing', bound=Optional['undefined'])
c = NamedTuple('nothing', [('nothing', 'undefined'), ('nothing', Optional['undefined'])])
c = NamedTuple('nothing', (('nothing', 'undefined'), ['nothing', undefined]))
c = NamedTuple('nothing', [('nothing', 'undefined', 1)])
c = NamedTuple('nothing', nothing='undefined')
c = NamedTuple('nothing', undefined)
d = TypedDict('nothing', {'nothing': 'undefined', nothing: undefined})
d = TypedDict('nothing', {'nothing': 'undefined'}, total='undefined')
d = TypedDict('nothing', nothing='undefined')
d = typing_extensions.TypedDict('nothing', dict(a='nothing'))
e: TypeAlias = 'undefined'
f: typing.TypeAlias = Optional['undefined']
g: 'TypeAlias' = 'nothing'
h = Optional['undefined']
i = list['nothing']
j = typing.Callable[['undefined'], 'undefined']
k = t.Literal['nothing']
m = Optional[Literal['nothing']]
n = typing.Annotated['undefined', 'nothing']
o = other.cast('nothing', 1)


class Class(NamedTuple):
    a: 'undefined'
    b: Optional['undefined'] = None


def function():
    cast = print
    cast('nothing', 'nothing')
    from typing import cast as other
    return other('undefined', 1)
