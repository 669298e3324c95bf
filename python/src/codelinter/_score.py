"""The results: scores and findings."""

from __future__ import annotations

from typing import (
    Any,
    Callable,
    Dict,
    Generic,
    Literal,
    Mapping,
    NamedTuple,
    Optional,
    Tuple,
    TypeVar,
    Union,
    cast,
    overload,
)

from ._error import Error

_T = TypeVar("_T")

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


class _Field(Generic[_T]):
    """A field of a reply, as an attribute of its score."""

    def __init__(self, key: str, kind: Callable[[Any], _T], details: bool = False) -> None:
        self._key = key
        self._kind = kind
        self._details = details

    @overload
    def __get__(self, score: None, owner: Any) -> _Field[_T]: ...
    @overload
    def __get__(self, score: Score, owner: Any) -> _T: ...
    def __get__(self, score: Optional[Score], owner: Any) -> Union[_Field[_T], _T]:
        if score is None:
            return self
        reply: Mapping[str, Any] = score._reply
        if self._details:
            reply = cast("Mapping[str, Any]", reply.get("details") or {})
            if not reply:
                raise Error("the client was told details=False: expected True for code, findings and changes")
        return self._kind(reply.get(self._key))


def findings_of(rows: Any) -> Tuple[Finding, ...]:
    """Returns findings as the child writes them."""
    return tuple(Finding(f["code"], f["row"], f["column"], f["start"], f["end"], f["message"]) for f in rows)


def _changes_of(changes: Mapping[str, Any]) -> Dict[str, Change]:
    return {code: Change(*change) for code, change in changes.items()}


def _named(name: Any) -> Any:
    return name or ""


class Score:
    """The score of one completion.

    A completion that could not be scored has an :class:`Error` instead.
    :attr:`code`, :attr:`findings` and :attr:`changes` are there unless the client has
    ``details=False``.
    """

    __slots__ = ("_composed", "_masked", "_reply", "_terms")

    #: Whether flake8 finds nothing in the code, which is the benchmark's verdict.
    official = _Field("official", bool)
    #: ``"pass"``, ``"fail"`` or ``"unknown"``; ``""`` if only the official verdict was asked for.
    guarded: _Field[Guarded] = _Field("guarded", _named)
    #: ``"kept"``, ``"lost"`` or ``"unknown"``, also for an answer that fails officially. It is ``""`` if the reward
    #: does not ask: it is not a function, and has no term for which the logic matters.
    logic: _Field[Logic] = _Field("logic", _named)
    #: ``"pass"``, ``"fail"`` or ``"unknown"``: whether the task's own tests pass. It is ``""`` if the reward does not
    #: ask by :func:`codelinter.rewards.tests`.
    tests: _Field[Tests] = _Field("tests", _named)
    #: The proof of a guarded pass, such as ``"tree"``; else ``""``.
    proof = _Field("proof", str)
    #: Why it is not a pass: short names, such as ``"noqa"``.
    reasons: _Field[Tuple[str, ...]] = _Field("reasons", lambda names: tuple(names or ()))
    #: The code extracted from the completion, which was linted.
    code = _Field("code", str, details=True)
    #: flake8's findings in :attr:`code`, as from :meth:`Client.lint`: the first thousand of :attr:`found`.
    findings = _Field("findings", findings_of, details=True)
    #: The numbers fixed, left and introduced, for each code; without a task all findings are introduced.
    changes = _Field("changes", _changes_of, details=True)
    #: The number of lines that the code has and the task's program lacks, wherever they stand.
    added = _Field("added", int, details=True)
    #: The number of lines that the task's program has and the code lacks.
    removed = _Field("removed", int, details=True)
    #: The number of findings in the code.
    found = _Field("findings", int)
    #: The number of the task's findings that are fixed. Invalid code fixes nothing.
    fixed = _Field("fixed", int)
    #: The number of the task's findings that are left.
    left = _Field("left", int)
    #: The number of findings that the code has and the task's program lacks.
    introduced = _Field("introduced", int)
    #: Whether the code is not valid Python.
    invalid = _Field("invalid", bool)
    #: Whether nothing in the code does anything.
    empty = _Field("empty", bool)
    #: Whether a comment, ``noqa``, hides findings.
    noqa = _Field("noqa", bool)
    #: The time that scoring took in the child.
    milliseconds = _Field("milliseconds", float)

    def __init__(
        self,
        reply: Mapping[str, Any],
        composed: Optional[float] = None,
        terms: Optional[Mapping[str, float]] = None,
        masked: Optional[bool] = None,
    ) -> None:
        self._reply = reply
        self._composed = composed
        self._terms = terms
        self._masked = masked
        for key in _KEYS:
            reply[key]  # a reply without one of them is none

    def with_reward(self, reward: float, terms: Optional[Mapping[str, float]] = None, masked: bool = False) -> Score:
        """Returns the score with another reward, and the terms that it is made of."""
        return Score(self._reply, reward, terms or {}, masked)

    def if_kept(self) -> Score:
        """Returns the score that the answer has if it keeps the logic and passes the tests, where that is unknown."""
        known = {"guarded": "pass", "logic": "kept", "tests": "pass"}
        unknown = {name: value for name, value in known.items() if self._reply.get(name) == "unknown"}
        return Score({**self._reply, **unknown})

    @property
    def reward(self) -> float:
        """The reward, by the client's ``reward``: 1.0 or 0.0, a number between them, or the function's value."""
        return float(self._reply["reward"]) if self._composed is None else self._composed

    @property
    def terms(self) -> Dict[str, float]:
        """The terms of a reward that is a formula or a Sum, by name; empty for other rewards."""
        return dict(self._reply.get("terms", {}) if self._terms is None else self._terms)

    @property
    def kept(self) -> bool:
        """Whether the answer is known to keep the logic, by the guarded verdict; see :attr:`logic`."""
        return self.guarded == "pass" or self.logic == "kept"

    @property
    def masked(self) -> bool:
        """Whether there is no reward, which is then 0.0.

        The client's ``on_unknown`` is ``"mask"``, and it is unknown whether the logic is kept.
        """
        return bool(self._reply["masked"]) if self._masked is None else self._masked

    def numbers(self) -> Dict[str, float]:
        """Returns the score as numbers alone, always under the same keys.

        Trainers log these numbers. Some take the keys of a batch from its first sample, so
        the keys never change. ``guarded`` is 1.0 for a pass, and 0.0 for a fail and for an
        unknown; ``unknown`` tells these two apart. ``findings`` is their number. ``error``
        is 0.0; in adapters it is 1.0 if there is no score. The terms of a composed reward
        have the keys ``term_NAME``.
        """
        reply = self._reply
        told = {"reward": self.reward, "guarded": reply["guarded"] == "pass", "unknown": reply["guarded"] == "unknown"}
        told = {**told, "masked": self.masked, "error": 0.0}
        terms = {f"term_{name}": value for name, value in self.terms.items()}
        return {**terms, **{name: float(told[name] if name in told else reply[name]) for name in NUMBERS}}

    def __eq__(self, other: object) -> bool:
        return self.__reduce__() == other.__reduce__() if isinstance(other, Score) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.reward, self.official, self.guarded, self.found))

    def __reduce__(self) -> Tuple[Any, ...]:
        return Score, (self._reply, self._composed, self._terms, self._masked)

    def __repr__(self) -> str:
        shown = ("reward", "official", "guarded", "proof", "reasons", "found")
        return f"Score({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"


#: The keys of :meth:`Score.numbers`, in the order in which trainers log them.
NUMBERS = (
    *("reward", "official", "guarded", "unknown", "findings", "fixed", "left", "introduced"),
    *("invalid", "empty", "noqa", "milliseconds", "masked", "error"),
)

#: What the reply has of each score.
_KEYS = ("proof", "reasons", *(name for name in NUMBERS if name not in ("unknown", "error")))
