import typing
import typing as t
import typing_extensions
from typing import overload
from typing import overload as over


@overload
def a(x: int) -> int: ...
@overload
def a(x: str) -> str: ...
def a(x): return x


@typing.overload
def b(x: int) -> int: ...
@t.overload
def b(x: str) -> str: ...
@typing_extensions.overload
async def b(x: bytes) -> bytes: ...
@over
def b(x: float) -> float: ...
def b(x): return x


def c(x): return x
@overload
def c(x: int) -> int: ...


class Class:
    @overload
    def a(self, x: int) -> int: ...
    @overload
    @staticmethod
    def a(x: str) -> str: ...
    def a(self, x): return x

    @other.overload
    def b(self, x: int) -> int: ...
    def b(self, x): return x


def function():
    from typing import overload

    @overload
    def a(x: int) -> int: ...
    def a(x): return x
    return a
