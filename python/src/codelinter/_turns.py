"""The text that a model gets about its answer before its next turn."""

from __future__ import annotations

from typing import Iterable, Optional, Union

from ._error import Error
from ._score import Finding, Score

#: What stands before and after the findings in the user's next turn.
_BEFORE = "flake8 finds this in your program:\n\n"
_AFTER = "\nMend it, change nothing of what the program does, and answer with the whole program."


def feedback(findings: Iterable[Finding]) -> str:
    """Returns findings as the benchmark words them: ``E225: missing whitespace around operator in 1 line``."""
    return "".join(f"{finding.code}: {finding.message} in {finding.row} line\n" for finding in findings)


def next_turn(score: Union[Score, Error]) -> Optional[str]:
    """Returns the user's message after an answer with this score; None if there is nothing to report.

    It has the findings and no more. It does not say why the guarded verdict refuses an answer,
    as a model could learn to avoid being refused.
    """
    if isinstance(score, Error) or score.official or not score.findings:
        return None
    # The code that is taken out of a fence begins with the end of the fence's own line.
    above = int(score.code.startswith("\n"))
    seen = (finding._replace(row=max(finding.row - above, 1)) for finding in score.findings)
    return f"{_BEFORE}{feedback(seen)}{_AFTER}"
