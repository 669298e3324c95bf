"""Several turns: what a model is told about its answer before the next, and the reward of each turn."""

from __future__ import annotations

from typing import Dict, Iterable, Optional, Sequence

from ._adapter import is_masked, reward_of
from ._error import Error
from ._requests import Scored
from ._score import Finding

#: What stands before and after the findings in the user's next turn.
_BEFORE = "flake8 finds this in your program:\n\n"
_AFTER = "\nMend it, change nothing of what the program does, and answer with the whole program."


def feedback(findings: Iterable[Finding]) -> str:
    """Returns findings as the benchmark words them: ``E225: missing whitespace around operator in 1 line``."""
    return "".join(f"{finding.code}: {finding.message} in {finding.row} line\n" for finding in findings)


def is_last(score: Scored) -> bool:
    """Reports whether an episode ends with an answer of this score: there is nothing to report, or no score."""
    return isinstance(score, Error) or score.official or not score.found


def next_turn(score: Scored) -> Optional[str]:
    """Returns the user's message after an answer with this score; None if there is nothing to report.

    It has the findings and no more. It does not say why the guarded verdict refuses an answer,
    as a model could learn to avoid being refused.
    """
    if isinstance(score, Error) or is_last(score):
        return None
    # The code that is taken out of a fence begins with the end of the fence's own line.
    above = int(score.code.startswith("\n"))
    seen = (finding._replace(row=max(finding.row - above, 1)) for finding in score.findings)
    return f"{_BEFORE}{feedback(seen)}{_AFTER}"


def turn_rewards(scores: Sequence[Scored], turns: int) -> Dict[str, float]:
    """Returns the rewards after each turn of an episode of up to ``turns``: ``turn_1_reward`` and so on.

    An episode that ended early, as there was nothing to report, keeps its last reward: a mean
    over episodes then has those that went well, in each turn. A turn that was cut off, or whose
    answer has no reward, has none.
    """
    after = list(scores)
    if after and is_last(after[-1]) and not isinstance(after[-1], Error):
        after += after[-1:] * (turns - len(after))
    return {f"turn_{i + 1}_reward": reward_of(score) for i, score in enumerate(after) if not is_masked(score)}
