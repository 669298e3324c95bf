"""Rewards composed of terms.

    from codelinter import Client, rewards

    reward = rewards.Sum(
        rewards.passed(),
        rewards.fixed(0.5, codes={"E999": 3.0, "W": 0.5}),
        rewards.introduced(0.2),
        rewards.invalid(0.5),
        rewards.empty(),
        least=-1.0,
    )
    client = Client(reward=reward)

Each term is a number about an answer, times a weight. The reward is the sum of the
terms, between ``least`` and ``most``. ``score.terms`` has them by name, and adapters log
each. A term is a function of a :class:`codelinter.Score`, so you can add your own:

    rewards.Term("short_lines", lambda score: 0.1 * all(len(line) < 80 for line in score.code.splitlines()))

The logic of an answer that fails officially is judged too. So an answer that fixes half
of its findings is told from one that breaks the program. An answer without a reward, for
an error or because the client's ``on_unknown`` is ``"mask"``, has none here either; its
terms are not computed.

A model learns to earn every term. ``partial`` alone rewards answers whose logic nothing
proves: keep it small. ``introduced``, ``longer`` and ``edited`` are penalties, which an
answer avoids by returning the given program: they need ``passed`` or ``fixed`` beside
them. An answer without a program has no findings, so such a sum pays it more than a try
that fails: ``empty`` and ``least`` see to that, and a sum without them warns.
"""

from __future__ import annotations

import dataclasses
import math
import warnings
from typing import Callable, Dict, Mapping, Optional, Tuple

from ._error import Error
from ._score import Score

__all__ = ["Sum", "Term", "edited", "empty", "fixed", "introduced", "invalid", "longer", "partial", "passed"]


@dataclasses.dataclass(frozen=True)
class Term:
    """A term: its name in the log, and a function that gives its weighted value."""

    name: str
    value: Callable[[Score], float]


class Sum:
    """A reward that is the sum of terms, for the client's ``reward``.

    Args:
        terms: with names that differ.
        least: the reward of an answer whose sum is less; None for no bound.
        most: the reward of an answer whose sum is more; None for no bound.
    """

    def __init__(self, *terms: Term, least: Optional[float] = None, most: Optional[float] = None) -> None:
        names = [term.name for term in terms]
        if not terms:
            raise Error("rewards.Sum: expected at least one term, found none")
        for name in names:
            if names.count(name) > 1:
                raise Error(f"rewards.Sum: expected terms with names that differ, found {name!r} twice")
        self.terms: Tuple[Term, ...] = terms
        self.least = -math.inf if least is None else float(least)
        self.most = math.inf if most is None else float(most)
        if problem := self.pays_silence():
            warnings.warn(f"rewards.Sum: {problem}", stacklevel=2)

    def pays_silence(self, guarded: bool = True) -> str:
        """Returns why a model would learn to answer nothing by this sum; "" if it would not.

        Args:
            guarded: whether the verdict is the guarded one.
        """
        paid = {what: self._paid(facts, guarded) for what, facts in _SILENCE.items()}
        nothing = paid.pop("an empty answer")
        for what, less in paid.items():
            if nothing > less + 1e-9:
                return f"an empty answer gets {nothing:g} and {what} {less:g}: add rewards.empty() and least"
        return ""

    def _paid(self, facts: Mapping[str, object], guarded: bool) -> float:
        reply = {**_REPLY, **facts}
        if not guarded:
            reply.update(guarded=None, reward=float(bool(reply["official"])))
        try:
            return self(Score(reply))
        except Exception:  # a term that somebody else made may want what an invented score has not
            return math.nan

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Sum) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> Tuple[object, ...]:
        return self.terms, self.least, self.most

    def values(self, score: Score) -> Dict[str, float]:
        """Returns each term's value."""
        return {term.name: term.value(score) for term in self.terms}

    def total(self, values: Mapping[str, float]) -> float:
        """Returns the reward, the bounded sum of the terms."""
        return min(max(sum(values.values()), self.least), self.most)

    def __call__(self, score: Score) -> float:
        """Returns the reward of an answer."""
        return self.total(self.values(score))


def passed(weight: float = 1.0) -> Term:
    """``weight`` if the answer passes by the client's verdict, else 0."""
    return Term("passed", _Passed(weight))


def fixed(weight: float = 1.0, codes: Optional[Mapping[str, float]] = None) -> Term:
    """``weight`` times the share of the given findings that the answer fixes, if it is known to keep the logic.

    Args:
        weight: the value for an answer that fixes all findings.
        codes: the weight of a finding, by its code or the beginning of its code; the longest match decides.
            The default is 1.0. With the official verdict the logic is not judged and does not count.
    """
    return Term("fixed", _Fixed(weight, _weights(codes)))


def partial(weight: float = 0.1, codes: Optional[Mapping[str, float]] = None) -> Term:
    """``weight`` times the share fixed, for an answer whose logic is neither proven nor seen to be lost.

    It is 0 if :func:`fixed` is not 0. It is also 0 for answers that are invalid, empty,
    hide findings by ``noqa``, introduce findings, or are refused for another reason.
    """
    return Term("partial", _Partial(weight, _weights(codes)))


def introduced(weight: float = 0.1, codes: Optional[Mapping[str, float]] = None) -> Term:
    """Minus ``weight`` for each finding that the task's program does not have; ``codes`` as in :func:`fixed`."""
    return Term("introduced", _Introduced(weight, _weights(codes)))


def longer(weight: float = 0.1, than: int = 4000) -> Term:
    """Minus ``weight`` times the length of the code beyond ``than`` characters, as a share of ``than``.

    It is minus ``weight`` if the code is twice as long or longer.
    """
    if than < 1:
        raise Error(f"rewards.longer: than: expected 1 or more, found {than!r}")
    return Term("longer", _Longer(weight, than))


def edited(weight: float = 0.1) -> Term:
    """Minus ``weight`` times the share of lines that are not those of the task's program, from 0 to 1.

    Lines that only moved are the program's.
    """
    return Term("edited", _Edited(weight))


def invalid(weight: float = 1.0) -> Term:
    """Minus ``weight`` for an answer that is not valid Python."""
    return Term("invalid", _Invalid(weight))


def empty(weight: float = 1.0) -> Term:
    """Minus ``weight`` for an answer in which nothing does anything, unless the program is such a one too."""
    return Term("empty", _Empty(weight))


# Terms are objects and no closures: trainers pickle rewards.

_Weights = Tuple[Tuple[str, float], ...]


def _weights(codes: Optional[Mapping[str, float]]) -> _Weights:
    weights = sorted((codes or {}).items(), key=lambda item: -len(item[0]))
    for code, weight in weights:
        if not 0 <= weight < math.inf:
            raise Error(f"rewards: codes[{code!r}]: expected a number of 0 or more, found {weight!r}")
    return tuple(weights)


def _weight_of(code: str, weights: _Weights) -> float:
    return next((weight for prefix, weight in weights if code.startswith(prefix)), 1.0)


def _share_fixed(score: Score, weights: _Weights) -> float:
    """Returns the weighted share of the given findings that are fixed. 1.0 if none were given, unless some are new."""
    gone = given = 0.0
    for code, change in score.changes.items():
        weight = _weight_of(code, weights)
        gone += weight * change.fixed
        given += weight * (change.fixed + change.left)
    if given > 0:
        return gone / given
    return 0.0 if score.introduced else 1.0


@dataclasses.dataclass(frozen=True)
class _Passed:
    weight: float

    def __call__(self, score: Score) -> float:
        return self.weight * (score.official if score.guarded == "" else score.guarded == "pass")


@dataclasses.dataclass(frozen=True)
class _Fixed:
    weight: float
    weights: _Weights

    def __call__(self, score: Score) -> float:
        if score.invalid or (score.empty if score.guarded == "" else not score.kept):
            return 0.0
        return self.weight * _share_fixed(score, self.weights)


@dataclasses.dataclass(frozen=True)
class _Partial:
    weight: float
    weights: _Weights

    def __call__(self, score: Score) -> float:
        open_to_doubt = score.guarded == "unknown" or score.reasons == ("official",)
        if score.kept or not open_to_doubt or score.invalid or score.empty or score.noqa or score.introduced:
            return 0.0
        return self.weight * _share_fixed(score, self.weights)


@dataclasses.dataclass(frozen=True)
class _Introduced:
    weight: float
    weights: _Weights

    def __call__(self, score: Score) -> float:
        return -self.weight * sum(_weight_of(code, self.weights) * c.introduced for code, c in score.changes.items())


@dataclasses.dataclass(frozen=True)
class _Invalid:
    weight: float

    def __call__(self, score: Score) -> float:
        return -self.weight * score.invalid


@dataclasses.dataclass(frozen=True)
class _Empty:
    weight: float

    def __call__(self, score: Score) -> float:
        return -self.weight * (score.empty and not score.kept)


@dataclasses.dataclass(frozen=True)
class _Longer:
    weight: float
    than: int

    def __call__(self, score: Score) -> float:
        return -self.weight * min(max(len(score.code) - self.than, 0) / self.than, 1.0)


@dataclasses.dataclass(frozen=True)
class _Edited:
    weight: float

    def __call__(self, score: Score) -> float:
        lines = len(score.code.splitlines()) + score.removed
        return -self.weight * (score.added + score.removed) / lines if lines else 0.0


#: The reply about an answer to a program with two findings, and what it says of four answers.
_REPLY: Dict[str, object] = {
    "reward": 0.0,
    "official": False,
    "guarded": "fail",
    "proof": "",
    "reasons": ["official"],
    "findings": 0,
    "fixed": 0,
    "left": 2,
    "introduced": 0,
    "invalid": False,
    "empty": False,
    "noqa": False,
    "masked": False,
    "milliseconds": 0.0,
    "details": {
        "code": "x=1\n",
        "findings": [],
        "changes": {"E225": [0, 1, 0], "F401": [0, 1, 0]},
        "added": 0,
        "removed": 0,
    },
}
_SILENCE: Dict[str, Dict[str, object]] = {
    "an empty answer": {
        "official": True,
        "reasons": ["empty"],
        "fixed": 2,
        "left": 0,
        "empty": True,
        "details": {
            "code": "",
            "findings": [],
            "changes": {"E225": [1, 0, 0], "F401": [1, 0, 0]},
            "added": 0,
            "removed": 2,
        },
    },
    "one that is not valid Python": {
        "findings": 1,
        "introduced": 1,
        "invalid": True,
        "details": {
            "code": "x = (\n",
            "findings": [],
            "changes": {"E225": [0, 1, 0], "E999": [0, 0, 1], "F401": [0, 1, 0]},
            "added": 1,
            "removed": 2,
        },
    },
    "one that changes nothing": {"findings": 2},
    "one that adds a finding": {
        "findings": 3,
        "introduced": 1,
        "details": {
            "code": "x=1\ny = 1 \n",
            "findings": [],
            "changes": {"E225": [0, 1, 0], "F401": [0, 1, 0], "W291": [0, 0, 1]},
            "added": 1,
            "removed": 0,
        },
    },
}
