"""The condition that decides which programs of a corpus are kept, by flake8's findings."""

from __future__ import annotations

import ast
import re
from typing import Any, Dict, Mapping

from ._error import Error

_CODE = re.compile(r"[A-Z]+[0-9]*")

_NAMES = ("findings", "lines", "bytes", "density")

#: The syntax that a condition may have. Nothing in it calls a function, looks into an object or takes long.
_SYNTAX = (
    *(
        ast.Expression,
        ast.BoolOp,
        ast.And,
        ast.Or,
        ast.UnaryOp,
        ast.Not,
        ast.USub,
        ast.BinOp,
        ast.Add,
        ast.Sub,
        ast.Mult,
    ),
    *(ast.Compare, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq, ast.Constant, ast.Name, ast.Load),
)

_EXPECTED = f"expected codes such as E999 or W, {', '.join(_NAMES)}, numbers, + - *, comparisons, and, or, not"


class _Facts(Dict[str, float]):
    """The values of the names in a condition: of a code the number of findings whose codes begin so."""

    def __init__(self, codes: Mapping[str, int], code: str) -> None:
        found = sum(codes.values())
        lines = code.count("\n") + (not code.endswith("\n") and code != "")
        size = len(code.encode(errors="surrogatepass"))
        super().__init__(findings=found, lines=lines, bytes=size, density=found / max(lines, 1))
        self._codes = codes

    def __missing__(self, name: str) -> float:
        return sum(n for code, n in self._codes.items() if code.startswith(name))


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
            for node in ast.walk(tree):
                if isinstance(node, ast.Name) and node.id not in _NAMES and not _CODE.fullmatch(node.id):
                    raise ValueError(f"unknown name {node.id!r}")
                number = not isinstance(node, ast.Constant) or type(node.value) in (int, float)
                if not isinstance(node, _SYNTAX) or not number:
                    raise ValueError(f"{ast.unparse(node)!r:.100}")
            self._code = compile(tree, "keep", "eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise Error(f"keep: {_EXPECTED}, found {text!r:.200}: {error}") from None

    def __call__(self, codes: Mapping[str, int], code: str) -> bool:
        """Reports whether a program with these numbers of findings is kept."""
        return bool(eval(self._code, {"__builtins__": {}}, _Facts(codes, code)))  # noqa: S307

    def __reduce__(self) -> Any:
        return Keep, (self.text,)
