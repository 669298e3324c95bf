"""Rewards for verl (made for verl 0.9.1).

    reward.custom_reward_function.path=pkg://codelinter.verl
    reward.custom_reward_function.name=compute_score

``compute_score`` is for the reward managers naive and dapo, ``acompute_score`` for
their asynchronous kind in the reward loop, ``compute_scores`` for the manager
batch. ``reward_kwargs`` may hold the client's settings: ``verdict``, ``reward``,
``tasks``, ``timeout``, ``processors``.

The task is ``extra_info["task"]``, or else ``ground_truth``: as JSON, as `codelinter
dataset export --for verl` writes it, or an id of the client's tasks. Each result is
a dict of numbers with the same keys. verl takes ``score`` as the reward. Without a
reward it is 0.0, and ``masked`` is 1.0.
"""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence

from . import _client
from ._adapter import Scoring, answered, numbers_of, settings_of, task_of
from ._client import Client
from ._requests import Scored
from ._score import Score
from ._settings import Task

_scoring = Scoring()

#: What verl passes where it has a reward model beside the reward function, which is nothing to us.
_SENT = ("reward_router_address", "reward_model_tokenizer", "model_name", "sampling_params")


def _client_of(settings: Mapping[str, Any]) -> Client:
    return _client.default_client(**settings_of("reward_kwargs", settings, _SENT))


def _task(ground_truth: Any, extra_info: Optional[Mapping[str, Any]]) -> Task:
    return task_of((extra_info or {}).get("task"), ground_truth)


def _result(client: Client, score: Scored) -> Dict[str, float]:
    numbers = numbers_of(score, client)
    guarded = isinstance(score, Score) and score.guarded != ""
    return {
        "score": numbers.pop("reward"),
        "acc": numbers["guarded"] if guarded else numbers["official"],
        **numbers,
    }


def compute_score(
    data_source: Any = None,
    solution_str: str = "",
    ground_truth: Any = None,
    extra_info: Optional[Mapping[str, Any]] = None,
    **settings: Any,
) -> Dict[str, float]:
    """Returns the score of one answer, for the reward managers naive and dapo."""
    return compute_scores(None, [solution_str], [ground_truth], [extra_info], **settings)[0]


async def acompute_score(
    data_source: Any = None,
    solution_str: str = "",
    ground_truth: Any = None,
    extra_info: Optional[Mapping[str, Any]] = None,
    **settings: Any,
) -> Dict[str, float]:
    """Is :func:`compute_score` as a coroutine."""
    task = _task(ground_truth, extra_info)
    client = _client_of(settings)
    return _result(client, (await _scoring.ascores(client, [answered(solution_str)], [task]))[0])


def compute_scores(
    data_sources: Any = None,
    solution_strs: Sequence[str] = (),
    ground_truths: Sequence[Any] = (),
    extra_infos: Optional[Sequence[Optional[Mapping[str, Any]]]] = None,
    **settings: Any,
) -> List[Dict[str, float]]:
    """Returns the scores of a batch of answers, for the reward manager batch."""
    infos: Sequence[Optional[Mapping[str, Any]]] = [None] * len(solution_strs) if extra_infos is None else extra_infos
    tasks = [_task(truth, info) for truth, info in zip(ground_truths, infos)]
    answers = [answered(answer) for answer in solution_strs]
    client = _client_of(settings)
    return [_result(client, score) for score in _scoring.scores(client, answers, tasks)]
