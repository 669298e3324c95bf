"""What comes back: scores and findings."""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, Tuple


class Score(NamedTuple):
    """The score of one completion.

    It has the same fields whatever was asked and whatever the completion is. There
    is none for a completion that could not be scored: that is an :class:`Error`.
    """

    #: What a trainer takes, by the client's ``reward``: 1.0 or 0.0, or shaped between.
    reward: float
    #: Whether flake8 finds nothing in the code, which is the benchmark's verdict.
    official: bool
    #: ``"pass"``, ``"fail"`` or ``"unknown"``, or ``""`` where only the official verdict was asked for.
    guarded: str
    #: What the guarded verdict rests on where it is a pass, such as ``"tree"``; else ``""``.
    proof: str
    #: Why it is not a pass: short names, such as ``"noqa"``.
    reasons: Tuple[str, ...]
    #: How many findings the code has.
    findings: int
    #: Of the findings of the task's program, how many are gone (``fixed``) and still there
    #: (``left``), and how many of the code's own are new (``introduced``); each 0 without a task.
    fixed: int
    left: int
    introduced: int
    #: Whether the code is no valid Python.
    invalid: bool
    #: Whether nothing in the code does anything.
    empty: bool
    #: Whether a comment, ``noqa``, hides findings.
    noqa: bool
    #: What scoring it took, in the child.
    milliseconds: float
    #: Whether there is no reward, which is then 0.0, as the client's ``on_unknown`` is
    #: ``"mask"`` and it is unknown whether the logic is kept.
    masked: bool

    def numbers(self) -> Dict[str, float]:
        """Returns the score as numbers alone, always under the same keys.

        That is what trainers log, and those that take the keys of a batch from its
        first sample get what they expect. ``guarded`` is 1.0 for a pass and 0.0 for
        anything else; ``unknown`` tells the two kinds of anything else apart. ``error`` is
        0.0: adapters have it 1.0 where there is no score.
        """
        return {
            "reward": self.reward,
            "official": float(self.official),
            "guarded": float(self.guarded == "pass"),
            "unknown": float(self.guarded == "unknown"),
            "findings": float(self.findings),
            "fixed": float(self.fixed),
            "left": float(self.left),
            "introduced": float(self.introduced),
            "invalid": float(self.invalid),
            "empty": float(self.empty),
            "noqa": float(self.noqa),
            "milliseconds": self.milliseconds,
            "masked": float(self.masked),
            "error": 0.0,
        }


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


def score_of(reply: Dict[str, Any]) -> Score:
    """Returns the score that the child's reply has. A reply without one of the keys raises KeyError."""
    return Score(
        float(reply["reward"]),
        reply["official"],
        reply["guarded"] or "",
        reply["proof"],
        tuple(reply["reasons"] or ()),
        reply["findings"],
        reply["fixed"],
        reply["left"],
        reply["introduced"],
        reply["invalid"],
        reply["empty"],
        reply["noqa"],
        reply["milliseconds"],
        reply["masked"],
    )


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
