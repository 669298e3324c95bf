"""The results: scores and findings."""

from __future__ import annotations

from typing import Any, Dict, Literal, Mapping, NamedTuple, Optional, Tuple, cast

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


class Score:
    """The score of one completion.

    A completion that could not be scored has an :class:`Error` instead.
    :attr:`code`, :attr:`findings` and :attr:`changes` are there unless the client has
    ``details=False``.
    """

    __slots__ = ("_composed", "_masked", "_reply", "_terms")

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
        reply = dict(self._reply)
        for name, unknown, known in (
            ("guarded", "unknown", "pass"),
            ("logic", "unknown", "kept"),
            ("tests", "unknown", "pass"),
        ):
            if reply.get(name) == unknown:
                reply[name] = known
        return Score(reply)

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
    def logic(self) -> Logic:
        """``"kept"``, ``"lost"`` or ``"unknown"``, also for an answer that fails officially.

        It is ``""`` if the reward does not ask: it is not a function, and has no term for which the logic matters.
        """
        return cast("Logic", self._reply.get("logic") or "")

    @property
    def tests(self) -> Tests:
        """``"pass"``, ``"fail"`` or ``"unknown"``: whether the task's own tests pass.

        It is ``""`` if the reward does not ask by :func:`codelinter.rewards.tests`.
        """
        return cast("Tests", self._reply.get("tests") or "")

    @property
    def masked(self) -> bool:
        """Whether there is no reward, which is then 0.0.

        The client's ``on_unknown`` is ``"mask"``, and it is unknown whether the logic is kept.
        """
        return bool(self._reply["masked"]) if self._masked is None else self._masked

    @property
    def official(self) -> bool:
        """Whether flake8 finds nothing in the code, which is the benchmark's verdict."""
        return bool(self._reply["official"])

    @property
    def guarded(self) -> Guarded:
        """``"pass"``, ``"fail"`` or ``"unknown"``; ``""`` if only the official verdict was asked for."""
        verdict: Guarded = self._reply["guarded"] or ""
        return verdict

    @property
    def proof(self) -> str:
        """The proof of a guarded pass, such as ``"tree"``; else ``""``."""
        return str(self._reply["proof"])

    @property
    def reasons(self) -> Tuple[str, ...]:
        """Why it is not a pass: short names, such as ``"noqa"``."""
        return tuple(self._reply["reasons"] or ())

    @property
    def code(self) -> str:
        """The code extracted from the completion, which was linted."""
        return str(self._details()["code"])

    @property
    def findings(self) -> Tuple[Finding, ...]:
        """flake8's findings in :attr:`code`, as from :meth:`Client.lint`: the first thousand of :attr:`found`."""
        return findings_of(self._details()["findings"])

    @property
    def changes(self) -> Dict[str, Change]:
        """The numbers fixed, left and introduced, for each code; without a task all findings are introduced."""
        return {code: Change(*change) for code, change in self._details()["changes"].items()}

    @property
    def added(self) -> int:
        """The number of lines that the code has and the task's program lacks, wherever they stand."""
        return int(self._details()["added"])

    @property
    def removed(self) -> int:
        """The number of lines that the task's program has and the code lacks."""
        return int(self._details()["removed"])

    @property
    def found(self) -> int:
        """The number of findings in the code."""
        return int(self._reply["findings"])

    @property
    def fixed(self) -> int:
        """The number of the task's findings that are fixed. Invalid code fixes nothing."""
        return int(self._reply["fixed"])

    @property
    def left(self) -> int:
        """The number of the task's findings that are left."""
        return int(self._reply["left"])

    @property
    def introduced(self) -> int:
        """The number of findings that the code has and the task's program lacks."""
        return int(self._reply["introduced"])

    @property
    def invalid(self) -> bool:
        """Whether the code is not valid Python."""
        return bool(self._reply["invalid"])

    @property
    def empty(self) -> bool:
        """Whether nothing in the code does anything."""
        return bool(self._reply["empty"])

    @property
    def noqa(self) -> bool:
        """Whether a comment, ``noqa``, hides findings."""
        return bool(self._reply["noqa"])

    @property
    def milliseconds(self) -> float:
        """The time that scoring took in the child."""
        return float(self._reply["milliseconds"])

    def numbers(self) -> Dict[str, float]:
        """Returns the score as numbers alone, always under the same keys.

        Trainers log these numbers. Some take the keys of a batch from its first sample, so
        the keys never change. ``guarded`` is 1.0 for a pass, and 0.0 for a fail and for an
        unknown; ``unknown`` tells these two apart. ``findings`` is their number. ``error``
        is 0.0; in adapters it is 1.0 if there is no score. The terms of a composed reward
        have the keys ``term_NAME``.
        """
        reply = self._reply
        return {
            **{f"term_{name}": value for name, value in self.terms.items()},
            "reward": self.reward,
            "official": float(reply["official"]),
            "guarded": float(reply["guarded"] == "pass"),
            "unknown": float(reply["guarded"] == "unknown"),
            "findings": float(reply["findings"]),
            "fixed": float(reply["fixed"]),
            "left": float(reply["left"]),
            "introduced": float(reply["introduced"]),
            "invalid": float(reply["invalid"]),
            "empty": float(reply["empty"]),
            "noqa": float(reply["noqa"]),
            "milliseconds": self.milliseconds,
            "masked": float(self.masked),
            "error": 0.0,
        }

    def _details(self) -> Dict[str, Any]:
        details: Dict[str, Any] = self._reply.get("details") or {}
        if not details:
            raise Error("the client was told details=False: expected True for code, findings and changes")
        return details

    def __eq__(self, other: object) -> bool:
        return self.__reduce__() == other.__reduce__() if isinstance(other, Score) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.reward, self.official, self.guarded, self.found))

    def __reduce__(self) -> Tuple[Any, ...]:
        return Score, (self._reply, self._composed, self._terms, self._masked)

    def __repr__(self) -> str:
        shown = ("reward", "official", "guarded", "proof", "reasons", "found")
        return f"Score({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"


#: What the reply has of each score.
_KEYS = (
    "reward",
    "official",
    "guarded",
    "proof",
    "reasons",
    "findings",
    "fixed",
    "left",
    "introduced",
    "invalid",
    "empty",
    "noqa",
    "masked",
    "milliseconds",
)

#: The keys of :meth:`Score.numbers`.
NUMBERS = (
    "reward",
    "official",
    "guarded",
    "unknown",
    "findings",
    "fixed",
    "left",
    "introduced",
    "invalid",
    "empty",
    "noqa",
    "milliseconds",
    "masked",
    "error",
)


def findings_of(rows: Any) -> Tuple[Finding, ...]:
    """Returns findings as the child writes them."""
    return tuple(Finding(f["code"], f["row"], f["column"], f["start"], f["end"], f["message"]) for f in rows)
