"""The condition that decides which programs of a corpus are kept, by flake8's findings."""

from __future__ import annotations

import ast
import operator
import re
from typing import Any, Callable, Dict, Mapping

from ._error import Error

#: What a program is, for a condition.
Facts = Mapping[str, float]

_CODE = re.compile(r"[A-Z]+[0-9]*")

_NAMES = ("findings", "lines", "bytes", "density")

_COMPARISONS: Dict[type, Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}

_SUMS: Dict[type, Callable[[Any, Any], float]] = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}

_EXPECTED = f"expected codes such as E999 or W, {', '.join(_NAMES)}, numbers, + - *, comparisons, and, or, not"


class Keep:
    """A condition such as ``not E999 and density < 0.05``.

    A code, or the beginning of codes, stands for the number of its findings, which is true
    above 0. ``findings`` is the number of all findings, ``lines`` and ``bytes`` the
    program's size, and ``density`` the findings a line.

    Raises:
        Error: the text is not a condition.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        try:
            tree = ast.parse(text.strip(), mode="eval")
            self._value = _compiled(tree.body)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise Error(f"keep: {_EXPECTED}, found {text!r:.200}: {error}") from None

    def __call__(self, codes: Mapping[str, int], code: str) -> bool:
        """Reports whether a program with these numbers of findings is kept."""
        found = sum(codes.values())
        lines = code.count("\n") + (not code.endswith("\n") and code != "")
        facts = {
            "findings": found,
            "lines": lines,
            "bytes": len(code.encode(errors="surrogatepass")),
            "density": found / max(lines, 1),
        }
        return bool(self._value(facts, codes))

    def __reduce__(self) -> Any:
        return Keep, (self.text,)


_Value = Callable[[Facts, Mapping[str, int]], Any]


def _compiled(node: ast.expr) -> _Value:
    """Returns a function for an expression. Only the syntax that is handled here is evaluated."""
    if isinstance(node, ast.BoolOp):
        values = [_compiled(value) for value in node.values]
        if isinstance(node.op, ast.And):
            return lambda facts, codes: all(value(facts, codes) for value in values)
        return lambda facts, codes: any(value(facts, codes) for value in values)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        operand = _compiled(node.operand)
        if isinstance(node.op, ast.Not):
            return lambda facts, codes: not operand(facts, codes)
        return lambda facts, codes: -operand(facts, codes)
    if isinstance(node, ast.BinOp) and type(node.op) in _SUMS:
        left, right, of = _compiled(node.left), _compiled(node.right), _SUMS[type(node.op)]
        return lambda facts, codes: of(left(facts, codes), right(facts, codes))
    if isinstance(node, ast.Compare) and all(type(op) in _COMPARISONS for op in node.ops):
        sides = [_compiled(side) for side in (node.left, *node.comparators)]
        compare = [_COMPARISONS[type(op)] for op in node.ops]

        def compared(facts: Facts, codes: Mapping[str, int]) -> bool:
            found = [side(facts, codes) for side in sides]
            return all(of(found[i], found[i + 1]) for i, of in enumerate(compare))

        return compared
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        number = node.value
        return lambda facts, codes: number
    if isinstance(node, ast.Name):
        name = node.id
        if name in _NAMES:
            return lambda facts, codes: facts[name]
        if _CODE.fullmatch(name):
            return lambda facts, codes: sum(n for code, n in codes.items() if code.startswith(name))
        raise ValueError(f"unknown name {name!r}")
    raise ValueError(f"{ast.unparse(node)!r:.100}")
