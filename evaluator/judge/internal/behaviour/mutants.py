"""Runs the mutants of a program, which all are in one source: mutant__ says which of them it is, and 0 that it is none."""
import builtins
import io
import itertools
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import types
    from typing import Any

    Result = tuple[object, str, list[object]]  # of a call: what it gave, what it printed, what it left of the state


class Mutants:
    def __init__(self) -> None:
        self.expected: 'dict[int, tuple[Result, int]]' = {}
        self.code: 'dict[int, types.CodeType]' = {}
        self.state: 'list[tuple[Any, Any]]' = []
        self.ticks, self.limit = 0, float('inf')

    def begin(self, space: 'dict[str, Any]', probes: list[str]) -> None:
        self.space, self.probes = space, probes
        for holder in [space, *(vars(v) for v in space.values() if isinstance(v, type))]:
            for name, value in holder.items():
                if type(value) in (list, dict, set) and len(value) < 200 and not name.startswith('__'):
                    self.state.append((value, clone(value)))
        self.names = {k: v for k, v in space.items() if type(v) in (int, float, str, bool, tuple, type(None), list, dict, set)}

    def left(self) -> list[object]:
        """What a call left of the module's variables and its classes' attributes, which are then as before."""
        left: list[object] = [freeze(value) for value, saved in self.state if value != saved]
        for value, saved in self.state:
            if value != saved:
                value.clear()
                (value.extend if type(value) is list else value.update)(clone(saved))
        for name, value in self.names.items():
            if self.space.get(name) is not value:
                left.append((name, freeze(self.space.get(name))))
                self.space[name] = value
        return left

    def tick(self) -> bool:
        self.ticks += 1
        if self.ticks > self.limit:
            raise Away
        return True

    def run(self, number: int, limit: float) -> 'Result':
        if number not in self.code:
            self.code[number] = compile(self.probes[number], 'probe', 'eval')
        self.ticks, self.limit = 0, limit
        streams = sys.stdout, sys.stderr
        sys.stdout = sys.stderr = out = io.StringIO()
        try:
            result: object = freeze(eval(self.code[number], self.space))
        except BaseException as e:
            result = 'raised', type(e).__name__, str(e)
        finally:
            sys.stdout, sys.stderr = streams
            self.limit = float('inf')
        return result, out.getvalue(), self.left()

    def kill(self, mutant: int, numbers: list[int]) -> int:
        """The first of the probes that tells a mutant apart, -1 if none does."""
        for number in numbers:
            if number not in self.expected:
                result = self.run(number, float('inf'))
                self.expected[number] = result, 10 * self.ticks + 200
            result, limit = self.expected[number]
            builtins.mutant__ = mutant  # type: ignore[attr-defined]
            try:
                got = self.run(number, limit)
            finally:
                builtins.mutant__ = 0  # type: ignore[attr-defined]
            if got != result:
                return number
        return -1


class Away(BaseException):
    """A loop goes on for much longer than it does in the program."""


def clone(value: 'Any') -> 'Any':
    if type(value) is dict:
        return {k: clone(v) for k, v in value.items()}
    if type(value) is list:
        return [clone(v) for v in value]
    return set(value) if type(value) is set else value


def freeze(value: 'Any', depth: int = 0) -> object:
    """A value that is equal where results are the same, as far as that is cheap."""
    kind = type(value)
    if kind in (int, str, bool, bytes, type(None)):
        return kind.__name__, value
    if kind is float:
        return 'float', '%.9g' % value
    if depth > 12:
        return kind.__name__
    if kind in (list, tuple):
        return kind.__name__, [freeze(v, depth + 1) for v in value]
    if kind in (set, frozenset):
        return kind.__name__, sorted(map(repr, value))
    if isinstance(value, dict):
        return kind.__name__, [(freeze(k, depth + 1), freeze(v, depth + 1)) for k, v in value.items()]
    if hasattr(kind, '__next__'):
        return kind.__name__, [freeze(v, depth + 1) for v in itertools.islice(value, 100)]
    if callable(value):
        return 'callable'
    if hasattr(value, '__dict__'):
        return kind.__name__, freeze(vars(value), depth + 1), isinstance(value, BaseException) and str(value)
    text = repr(value)
    return kind.__name__, '' if ' at 0x' in text else text


builtins.mutant__ = 0  # type: ignore[attr-defined]
builtins.mutants__ = Mutants()  # type: ignore[attr-defined]
builtins.tick__ = builtins.mutants__.tick  # type: ignore[attr-defined]
