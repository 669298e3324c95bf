"""Rewards for slime and miles (made for both as of August 2026).

    --custom-rm-path codelinter.slime.reward

A sample's label is the task, or its ``metadata["task"]``: as JSON, as `codelinter
dataset export --for openrlhf` writes it, or an id of the client's tasks. The settings
are those of the environment, see :func:`codelinter.default_client`. With
``--reward-key score`` samples keep all numbers of a score, else the reward alone.
"""

from __future__ import annotations

from typing import Any, Dict, List, Union

from . import _client
from ._adapter import task_of, without_end_of_turn
from ._client import Task
from ._score import Score

Reward = Union[float, Dict[str, float]]


def _task(sample: Any) -> Task:
    metadata = getattr(sample, "metadata", None)
    return task_of(metadata.get("task") if isinstance(metadata, dict) else None, getattr(sample, "label", None))


def _reward(args: Any, score: Score) -> Reward:
    if not getattr(args, "reward_key", None):
        return score.reward
    numbers = score.numbers()
    return {"score": numbers["reward"], **numbers}


async def reward(args: Any, sample: Any, **_: Any) -> Union[Reward, List[Reward]]:
    """Returns the reward of a sample, or of each in a list of samples."""
    samples = sample if isinstance(sample, list) else [sample]
    answers = [without_end_of_turn(sample.response) for sample in samples]
    scores = await _client.default_client().ascore(answers, [_task(sample) for sample in samples])
    rewards = [_reward(args, score) for score in scores]
    return rewards if isinstance(sample, list) else rewards[0]
