"""Rewards for slime and miles (made for both as of August 2026).

    --custom-rm-path codelinter.slime.reward

A sample's label is the task, or its ``metadata["task"]``: as JSON, as `codelinter
dataset export --for openrlhf` writes it, or an id of the client's tasks. The settings
are those of the environment, see :func:`codelinter.default_client`. With
``--reward-key score`` samples keep all numbers of a score, else the reward alone. A
sample without a reward has 0.0 and ``remove_sample``, so that its tokens are not trained on.
"""

from __future__ import annotations

from typing import Any, Dict, List, Union, cast

from . import _client
from ._adapter import Scoring, answered, is_masked, numbers_of, reward_of, task_of
from ._client import Client
from ._requests import Scored
from ._settings import Task

_scoring = Scoring()

Reward = Union[float, Dict[str, float]]


def _task(sample: Any) -> Task:
    metadata: Any = getattr(sample, "metadata", None)
    return task_of(
        cast("Dict[str, Any]", metadata).get("task") if isinstance(metadata, dict) else None,
        getattr(sample, "label", None),
    )


def _reward(client: Client, args: Any, sample: Any, score: Scored) -> Reward:
    if is_masked(score):
        sample.remove_sample = True
    if not getattr(args, "reward_key", None):
        return reward_of(score)
    numbers = numbers_of(score, client)
    return {"score": numbers["reward"], **numbers}


async def reward(args: Any, sample: Any, **_: Any) -> Union[Reward, List[Reward]]:
    """Returns the reward of a sample, or of each in a list of samples."""
    single = hasattr(sample, "response")
    samples: List[Any] = [sample] if single else sample
    answers = [answered(sample.response) for sample in samples]
    client = _client.default_client()
    scores = await _scoring.ascores(client, answers, [_task(sample) for sample in samples])
    rewards = [_reward(client, args, *pair) for pair in zip(samples, scores)]
    return rewards[0] if single else rewards
