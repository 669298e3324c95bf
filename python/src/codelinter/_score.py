"""The results: scores and findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, Literal, Mapping, NamedTuple, Optional, Tuple

from ._error import Error

#: The guarded verdict on an answer; ``""`` where only the official one was asked for.
Guarded = Literal["pass", "fail", "unknown", ""]

#: Whether an answer keeps the logic; ``""`` where nobody asked.
Logic = Literal["kept", "lost", "unknown", ""]

#: Whether an answer passes the task's tests; ``""`` where nobody asked.
Tests = Literal["pass", "fail", "unknown", ""]


class Finding(NamedTuple):
    """One finding of the linter, as flake8 prints it."""

    #: Such as ``"E501"``.
    code: str
    #: From 1; 0 where the code could not be read.
    row: int
    #: From 1, as flake8 prints it: in characters for E and W, in UTF-8 bytes for F and C.
    column: int
    #: The extent of what the finding is about, as offsets in bytes of the code in UTF-8.
    start: int
    end: int
    #: flake8's words, without the code.
    message: str


class Change(NamedTuple):
    """The numbers of one code's findings that are fixed, left and introduced."""

    #: How many are gone.
    fixed: int
    #: How many are still there.
    left: int
    #: How many are new.
    introduced: int


def findings_of(rows: Any) -> Tuple[Finding, ...]:
    """Returns findings as the child writes them."""
    return tuple(Finding(f["code"], f["row"], f["column"], f["start"], f["end"], f["message"]) for f in rows)


#: How two texts relate.
Relation = Literal["same", "other", "unknown"]


class Edit(NamedTuple):
    """What an edit changes."""

    #: Findings of the new text that the old one does not have.
    new: Tuple[Finding, ...]
    #: Findings of the old text that the new one does not have.
    gone: Tuple[Finding, ...]
    #: The number of findings in the new text.
    found: int
    #: Whether the syntax trees are equal.
    tree: Relation
    #: Whether both programs do the same.
    meaning: Relation
    #: Of a meaning that is the same: ``"tree"``, ``"form"``, ``"edits"`` or ``"runs"``; ``""`` for none.
    proof: str
    #: Why the meaning is another, or unknown after a run.
    reasons: Tuple[str, ...]

    @classmethod
    def of(cls, reply: Mapping[str, Any]) -> Edit:
        """Returns an edit as the child writes it."""
        new, gone, found, tree, meaning, proof, reasons = (reply[name] for name in cls._fields)
        return cls(findings_of(new), findings_of(gone), found, tree, meaning, proof, tuple(reasons))


class Score:
    """The score of one completion.

    A completion that could not be scored has an :class:`Error` instead.
    :attr:`code`, :attr:`findings` and :attr:`changes` are there unless the client has
    ``details=False``.
    """

    __slots__ = ("_reply",)

    #: The reward, by the client's ``reward``: 1.0 or 0.0, a number between them, or the function's value.
    reward: float
    #: The terms of a reward that is a formula or a Sum, by name; empty for other rewards.
    terms: Dict[str, float]
    #: Whether there is no reward, which is then 0.0: the client's ``on_unknown`` is ``"mask"``, and it is unknown
    #: whether the logic is kept.
    masked: bool
    #: Whether flake8 finds nothing in the code, which is the benchmark's verdict.
    official: bool
    #: ``"pass"``, ``"fail"`` or ``"unknown"``; ``""`` if only the official verdict was asked for.
    guarded: Guarded
    #: ``"kept"``, ``"lost"`` or ``"unknown"``, also for an answer that fails officially. It is ``""`` if the reward
    #: does not ask: it is not a function, and has no term for which the logic matters.
    logic: Logic
    #: ``"pass"``, ``"fail"`` or ``"unknown"``: whether the task's own tests pass. It is ``""`` if the reward does not
    #: ask by :func:`codelinter.rewards.tests`.
    tests: Tests
    #: The proof of a guarded pass, such as ``"tree"``; else ``""``.
    proof: str
    #: Why it is not a pass: short names, such as ``"noqa"``.
    reasons: Tuple[str, ...]
    #: The code extracted from the completion, which was linted.
    code: str
    #: flake8's findings in :attr:`code`, as from :meth:`Client.lint`: the first thousand of :attr:`found`.
    findings: Tuple[Finding, ...]
    #: The numbers fixed, left and introduced, for each code; without a task all findings are introduced.
    changes: Dict[str, Change]
    #: The number of lines that the code has and the task's program lacks, wherever they stand.
    added: int
    #: The number of lines that the task's program has and the code lacks.
    removed: int
    #: The number of findings in the code.
    found: int
    #: The number of the task's findings that are fixed. Invalid code fixes nothing.
    fixed: int
    #: The number of the task's findings that are left.
    left: int
    #: The number of findings that the code has and the task's program lacks.
    introduced: int
    #: Whether the code is not valid Python.
    invalid: bool
    #: Whether nothing in the code does anything.
    empty: bool
    #: Whether a comment, ``noqa``, hides findings.
    noqa: bool
    #: The time that scoring took in the child.
    milliseconds: float

    def __init__(self, reply: Mapping[str, Any]) -> None:
        self._reply = reply
        for key in KEYS:
            reply[key]  # a reply without one of them is none

    if not TYPE_CHECKING:  # which would then accept any name

        def __getattr__(self, name):
            if name in _DETAILS:
                if not self._reply.get("details"):
                    raise Error("the client was told details=False: expected True for code, findings and changes")
                return _DETAILS[name](self._reply["details"].get(name))
            if name not in _FIELDS:
                raise AttributeError(f"a score has no attribute {name!r}")
            return _FIELDS[name](self._reply.get("findings" if name == "found" else name))

    def with_reward(self, reward: float, terms: Optional[Mapping[str, float]] = None, masked: bool = False) -> Score:
        """Returns the score with another reward, and the terms that it is made of."""
        return Score({**self._reply, "reward": reward, "terms": terms, "masked": masked})

    def if_kept(self) -> Score:
        """Returns the score that the answer has if it keeps the logic and passes the tests, where that is unknown."""
        known = {"guarded": "pass", "logic": "kept", "tests": "pass"}
        unknown = {name: value for name, value in known.items() if self._reply.get(name) == "unknown"}
        return Score({**self._reply, **unknown})

    @property
    def kept(self) -> bool:
        """Whether the answer is known to keep the logic, by the guarded verdict; see :attr:`logic`."""
        return self.guarded == "pass" or self.logic == "kept"

    def numbers(self) -> Dict[str, float]:
        """Returns the score as numbers alone, always under the same keys, which trainers log.

        Some take the keys of a batch from its first sample. ``guarded`` is 1.0 for a pass, and
        0.0 for a fail and for an unknown; ``unknown`` tells these two apart. ``findings`` is
        their number. ``error`` is 0.0; in adapters it is 1.0 if there is no score. The terms of
        a composed reward have the keys ``term_NAME``.
        """
        guarded = self.guarded
        told = {**self._reply, "guarded": guarded == "pass", "unknown": guarded == "unknown", "error": 0.0}
        terms = {f"term_{name}": value for name, value in self.terms.items()}
        return {**terms, **{name: float(told[name]) for name in NUMBERS}}

    def __eq__(self, other: object) -> bool:
        return self._reply == other._reply if isinstance(other, Score) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.reward, self.official, self.guarded, self.found))

    def __reduce__(self) -> Tuple[Any, ...]:
        return Score, (self._reply,)

    def __repr__(self) -> str:
        shown = ("reward", "official", "guarded", "proof", "reasons", "found")
        return f"Score({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"


def _named(name: Any) -> Any:
    return name or ""


#: How the fields of a reply become attributes, and those of its details.
_FIELDS: Dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("reward", "milliseconds"), float),
    **dict.fromkeys(("masked", "official", "invalid", "empty", "noqa"), bool),
    **dict.fromkeys(("guarded", "logic", "tests", "proof"), _named),
    **dict.fromkeys(("found", "fixed", "left", "introduced"), int),
    "terms": lambda terms: dict(terms or {}),
    "reasons": lambda names: tuple(names or ()),
}
_DETAILS: Dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("added", "removed"), int),
    "code": str,
    "findings": findings_of,
    "changes": lambda changes: {code: Change(*change) for code, change in changes.items()},
}

#: The keys of :meth:`Score.numbers`, in the order in which trainers log them.
NUMBERS = (
    *("reward", "official", "guarded", "unknown", "findings", "fixed", "left", "introduced"),
    *("invalid", "empty", "noqa", "milliseconds", "masked", "error"),
)

#: What the reply has of each score.
KEYS = ("proof", "reasons", *(name for name in NUMBERS if name not in ("unknown", "error")))
