"""Rewards made of terms.

    from codelinter import Client, rewards

    reward = rewards.Sum(
        rewards.graded(0.7) * rewards.meaning(),
        rewards.fixed(0.3, codes={"E999": 3.0, "W": 0.5}),
        rewards.empty(),
        least=-1.0,
    )
    client = Client(reward=reward)

Each term is a number about an answer, times a weight. A product of terms is a gate. The
reward is the sum, between ``least`` and ``most``. ``score.terms`` has the terms by name,
and adapters log each. A term is a function of a :class:`codelinter.Score`, so you can add
your own:

    rewards.Term("short_lines", lambda score: 0.1 * all(len(line) < 80 for line in score.code.splitlines()))

The same terms have the same names in a formula, for ``reward`` of a client, a server, a
request and ``codelinter eval``:

    Client(reward="0.7*graded*meaning + 0.3*fixed(E999=3, W=0.5) + empty, least=-1")

docs/rewards.md has what each pays. A model learns to earn every term. ``partial`` alone rewards answers whose logic
nothing proves: keep it small. ``introduced``, ``longer`` and ``edited`` are penalties, which an answer avoids by
returning the given program: they need ``passed`` or ``fixed`` beside them. An answer without a program has no
findings, so such a sum pays it more than a try that fails: ``empty`` and ``least`` see to that, and a sum without
them warns.
"""

from __future__ import annotations

import dataclasses
import math
import warnings
from typing import Callable, Dict, Iterable, Mapping, Optional, Tuple

from ._error import Error
from ._score import KEYS, Change, Score

__all__ = [
    "Sum",
    "Term",
    "edited",
    "empty",
    "fixed",
    "graded",
    "introduced",
    "invalid",
    "longer",
    "meaning",
    "partial",
    "passed",
    "per_finding",
    "tests",
]


#: The weights of findings, by codes or the beginnings of codes; the longest match decides. The default is 1.0.
Codes = Optional[Mapping[str, float]]


@dataclasses.dataclass(frozen=True)
class Term:
    """A term: its name in the log, and a function that gives its weighted value.

    Terms can be multiplied: a term that is 0 or 1 is then a gate.

    Args:
        name: the name.
        value: the function.
        tests: whether the function asks for :attr:`codelinter.Score.tests`, for which the task's tests are run.
        guarded: whether only the guarded verdict can give it.
    """

    name: str
    value: Callable[[Score], float]
    tests: bool = False
    guarded: bool = False

    def __call__(self, score: Score) -> float:
        """Returns the value of an answer."""
        return float(self.value(score))

    def __mul__(self, other: Term) -> Term:
        needs = self.tests or other.tests, self.guarded or other.guarded
        return Term(f"{self.name}_{other.name}", _Product(self, other), *needs)


@dataclasses.dataclass(frozen=True)
class _Product:
    a: Term
    b: Term

    def __call__(self, score: Score) -> float:
        return self.a(score) * self.b(score)


@dataclasses.dataclass(frozen=True, init=False)
class Sum:
    """A reward that is the sum of terms, for the client's ``reward``.

    Args:
        terms: with names that differ.
        least: the reward of an answer whose sum is less; None for no bound.
        most: the reward of an answer whose sum is more; None for no bound.
    """

    terms: Tuple[Term, ...]
    least: float
    most: float

    def __init__(self, *terms: Term, least: Optional[float] = None, most: Optional[float] = None) -> None:
        names = [term.name for term in terms]
        if not terms:
            raise Error("rewards.Sum: expected at least one term, found none")
        for name in names:
            if names.count(name) > 1:
                raise Error(f"rewards.Sum: expected terms with names that differ, found {name!r} twice")
        bounds = -math.inf if least is None else float(least), math.inf if most is None else float(most)
        self.__dict__.update(zip(("terms", "least", "most"), (terms, *bounds)))
        if problem := self.pays_silence():
            warnings.warn(f"rewards.Sum: {problem}", stacklevel=2)

    def pays_silence(self, guarded: bool = True) -> str:
        """Returns why a model would learn to answer nothing by this sum; "" if it would not.

        Args:
            guarded: whether the verdict is the guarded one.
        """
        paid = {what: self._paid({**facts, "logic": "lost" if guarded else None}) for what, facts in _SILENCE.items()}
        nothing = paid.pop("an empty answer")
        for what, less in paid.items():
            if nothing > less + 1e-9:
                return f"an empty answer gets {nothing:g} and {what} {less:g}: add rewards.empty() and least"
        return ""

    def _paid(self, facts: Mapping[str, object]) -> float:
        try:
            return self(Score({**dict.fromkeys(KEYS, 0), **facts, "guarded": facts["logic"] and "fail"}))
        except Exception:  # a term that somebody else made may want what an invented score has not
            return math.nan

    def values(self, score: Score) -> Dict[str, float]:
        """Returns each term's value."""
        return {term.name: term(score) for term in self.terms}

    def total(self, values: Mapping[str, float]) -> float:
        """Returns the reward, the bounded sum of the terms."""
        return min(max(_sum(values.values()), self.least), self.most)

    def __call__(self, score: Score) -> float:
        """Returns the reward of an answer."""
        return self.total(self.values(score))


@dataclasses.dataclass(frozen=True)
class _Of:
    """A term's value: an object and no closure, as trainers pickle rewards.

    Attributes:
        term: its name in _VALUES.
        weight: what its number is multiplied by.
        number: its option.
        weights: of findings, by the beginnings of codes, the longest first.
    """

    term: str
    weight: float
    number: float
    weights: Tuple[Tuple[str, float], ...]

    def __call__(self, score: Score) -> float:
        return self.weight * _VALUES[self.term](score, self)

    def sum(self, score: Score, count: Callable[[Change], int]) -> float:
        """Returns the weight of the findings that count counts of each code."""
        return _sum(self._of(code) * count(change) for code, change in score.changes.items())

    def _of(self, code: str) -> float:
        return next((weight for prefix, weight in self.weights if code.startswith(prefix)), 1.0)


def _term(name: str, weight: float, codes: Codes = None, number: float = 0.0) -> Term:
    weights = sorted((codes or {}).items(), key=lambda item: -len(item[0]))
    for code, of_code in weights:
        if not 0 <= of_code < math.inf:
            raise Error(f"rewards: codes[{code!r}]: expected a number of 0 or more, found {of_code!r}")
    return Term(name, _Of(name, weight, number, tuple(weights)), name == "tests", name in GUARDED)


#: The terms that only the guarded verdict can give.
GUARDED = ("meaning", "partial", "shaped", "tests")


def passed(weight: float = 1.0) -> Term:
    """``weight`` if the answer passes by the client's verdict, else 0."""
    return _term("passed", weight)


def graded(weight: float = 1.0, codes: Codes = None) -> Term:
    """``weight / (1 + new)``, where ``new`` is the number of findings that the task's program does not have.

    It is 0 for an answer that is invalid, does nothing, or hides findings by ``noqa``, unless the program does so
    too. The program itself gets ``weight``.
    """
    return _term("graded", weight, codes)


def per_finding(weight: float = 1.0, slope: float = 0.1, codes: Codes = None) -> Term:
    """``weight * max(1 - slope * n, 0)``, where ``n`` is the number of findings in the code.

    It is 0 for the answers for which :func:`graded` is 0.
    """
    if not 0 <= slope < math.inf:
        raise Error(f"rewards.per_finding: slope: expected a number of 0 or more, found {slope!r}")
    return _term("per_finding", weight, codes, slope)


def meaning(weight: float = 1.0) -> Term:
    """``weight`` if the answer is known to keep the logic, by the guarded verdict, whatever flake8 finds in it."""
    return _term("meaning", weight)


def tests(weight: float = 1.0) -> Term:
    """``weight`` if the answer passes the task's own tests, and no guard refuses it. They are run in the sandbox.

    A task without tests cannot be decided: the client's ``on_unknown`` decides.
    """
    return _term("tests", weight)


def fixed(weight: float = 1.0, codes: Codes = None) -> Term:
    """``weight`` times the share of the given findings that the answer fixes, if it is known to keep the logic.

    With the official verdict the logic is not judged and does not count.
    """
    return _term("fixed", weight, codes)


def partial(weight: float = 0.1, codes: Codes = None) -> Term:
    """``weight`` times the share fixed, for an answer whose logic is neither proven nor seen to be lost.

    It is 0 if :func:`fixed` is not 0. It is also 0 for answers that are invalid, empty,
    hide findings by ``noqa`` or introduce findings.
    """
    return _term("partial", weight, codes)


def introduced(weight: float = 0.1, codes: Codes = None) -> Term:
    """Minus ``weight`` for each finding that the task's program does not have."""
    return _term("introduced", weight, codes)


def longer(weight: float = 0.1, than: int = 4000) -> Term:
    """Minus ``weight`` times the length of the code beyond ``than`` characters, as a share of ``than``, at most 1."""
    if than < 1:
        raise Error(f"rewards.longer: than: expected 1 or more, found {than!r}")
    return _term("longer", weight, None, than)


def edited(weight: float = 0.1) -> Term:
    """Minus ``weight`` times the share of lines that are not those of the task's program. Lines may have moved."""
    return _term("edited", weight)


def invalid(weight: float = 1.0) -> Term:
    """Minus ``weight`` for an answer that is not valid Python, or too large to be linted."""
    return _term("invalid", weight)


def empty(weight: float = 1.0) -> Term:
    """Minus ``weight`` for an answer in which nothing does anything, unless the program is such a one too."""
    return _term("empty", weight)


def _sum(values: Iterable[float]) -> float:
    """Adds from left to right, as the binary does: sum() rounds otherwise since Python 3.12."""
    total = 0.0
    for value in values:
        total += value
    return total


def _is_invalid(score: Score) -> bool:
    return score.invalid or score.reasons == ("too-large",)


def _is_hidden(score: Score) -> bool:
    """Reports whether there are no findings because there is nothing to find them in."""
    return _is_invalid(score) or ((score.empty or score.noqa) and not score.kept)


def _new(score: Score, of: _Of) -> float:
    return of.sum(score, lambda change: change.introduced)


def _found(score: Score, of: _Of) -> float:
    return of.sum(score, lambda change: change.left + change.introduced)


def _share_fixed(score: Score, of: _Of) -> float:
    """Returns the weighted share of the given findings that are fixed. 1.0 if none were given, unless some are new."""
    given = of.sum(score, lambda change: change.fixed + change.left)
    if given > 0:
        return of.sum(score, lambda change: change.fixed) / given
    return 0.0 if score.introduced else 1.0


def _fixed(score: Score, of: _Of) -> float:
    lost = score.empty if score.guarded == "" else not score.kept
    return 0.0 if lost or _is_invalid(score) else _share_fixed(score, of)


def _partial(score: Score, of: _Of) -> float:
    in_doubt = score.logic == "unknown" and not score.kept
    bad = _is_invalid(score) or score.empty or score.noqa or score.introduced
    return _share_fixed(score, of) if in_doubt and not bad else 0.0


def _edited(score: Score, _: _Of) -> float:
    lines = score.code.count("\n") + (not score.code.endswith("\n") and score.code != "") + score.removed
    return -((score.added + score.removed) / lines) if lines else 0.0


#: The value of each term, for a weight of 1, as evaluator/judge/terms.go has it.
_VALUES: Dict[str, Callable[[Score, _Of], float]] = {
    "passed": lambda score, _: float(score.official if score.guarded == "" else score.guarded == "pass"),
    "graded": lambda score, of: 0.0 if _is_hidden(score) else 1 / (1 + _new(score, of)),
    "per_finding": lambda score, of: 0.0 if _is_hidden(score) else max(1 - of.number * _found(score, of), 0.0),
    "meaning": lambda score, _: float(score.kept),
    "tests": lambda score, _: float(score.tests == "pass"),
    "fixed": _fixed,
    "partial": _partial,
    "introduced": lambda score, of: -_new(score, of),
    "longer": lambda score, of: -min(max(len(score.code) - of.number, 0.0) / of.number, 1.0),
    "edited": _edited,
    "invalid": lambda score, _: -float(_is_invalid(score)),
    "empty": lambda score, _: -float(score.empty and not score.kept),
}


def _try(code: str, changes: Mapping[str, Tuple[int, int, int]], **facts: object) -> Dict[str, object]:
    """Returns what a reply says about an answer to the program "import os", "x=1"."""
    gone, left, new = (sum(change[i] for change in changes.values()) for i in range(3))
    counts = {"findings": left + new, "fixed": gone, "left": left, "introduced": new}
    details: Dict[str, object] = {"code": code, "findings": [], "changes": changes, "added": 0, "removed": 2}
    return {"reasons": ["official"], **counts, "details": details, **facts}


_LEFT = {"E225": (0, 1, 0), "F401": (0, 1, 0)}
_GONE = {"E225": (1, 0, 0), "F401": (1, 0, 0)}
_NEW = (0, 0, 1)

#: An answer that is empty, and tries that failed.
_SILENCE: Dict[str, Dict[str, object]] = {
    "an empty answer": _try("", _GONE, official=True, reasons=["empty"], empty=True),
    "one that is not valid Python": _try("x = (\n", {**_LEFT, "E999": _NEW}, invalid=True),
    "one that changes nothing": _try("import os\nx=1\n", _LEFT),
    "one that adds a finding": _try("import os\nx=1 \n", {**_LEFT, "W291": _NEW}),
}
