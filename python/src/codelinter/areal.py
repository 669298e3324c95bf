"""Rewards for AReaL (made for areal 1.0.4).

    RLVRWorkflow(reward_fn="codelinter.areal.reward_fn", ...)

The dataset's column ``task`` has the task as JSON, or an id of the client's tasks.
The settings are those of the environment, see :func:`codelinter.default_client`. AReaL
calls the function in processes of its own, each of which has a child.
"""

from __future__ import annotations

from typing import Any

from . import _client
from ._adapter import Scoring, answered, reward_of, task_of
from ._settings import NO_TASK

_scoring = Scoring()


def reward_fn(prompt: Any, completions: Any, prompt_ids: Any, completion_ids: Any, **columns: Any) -> float:
    """Returns the reward of one completion, as a number. It is 0.0 if scoring failed; the log says why."""
    task = task_of(columns.get("task", NO_TASK))
    (score,) = _scoring.scores(_client.default_client(), [answered(completions)], [task])
    return reward_of(score)
