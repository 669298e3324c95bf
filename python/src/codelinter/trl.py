"""Rewards for TRL's trainers (made for trl 1.16): GRPO, RLOO and whatever else takes reward functions.

    trainer = GRPOTrainer(model, reward_funcs=codelinter.trl.clean_reward, train_dataset=dataset, ...)

    trl grpo --reward_funcs codelinter.trl.clean_reward --dataset_name ...

A column ``task`` of the dataset says what an answer is held to: a task as JSON, as
`codelinter dataset export --for trl` writes it, or an id of the client's tasks.
Without the column the answer is linted and held to the guards that need no task.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Sequence

from . import _client
from ._adapter import task_of, text_of
from ._client import Client
from ._score import Score


class _Reward:
    """What both kinds of reward have: a client, a name, and what they log."""

    def __init__(self, name: str, task_column: str, settings: Dict[str, Any]) -> None:
        #: By which TRL logs the reward.
        self.__name__ = name
        self._task_column = task_column
        self._settings = settings

    @property
    def client(self) -> Client:
        """The client, shared by all rewards of this process with the same settings."""
        return _client.default_client(**self._settings)

    def _batch(self, completions: Sequence[Any], columns: Dict[str, Any]) -> tuple[List[str], List[Any]]:
        tasks = columns.get(self._task_column) or [None] * len(completions)
        return [text_of(completion) for completion in completions], [task_of(task) for task in tasks]

    def _log(self, scores: List[Score], columns: Dict[str, Any]) -> List[float]:
        log_metric: Optional[Callable[[str, float], None]] = columns.get("log_metric")
        log_extra: Optional[Callable[[str, List[Any]], None]] = columns.get("log_extra")
        if log_metric is not None and scores:
            rows = [score.numbers() for score in scores]
            for name in rows[0]:
                log_metric(f"{self.__name__}/{name}", sum(row[name] for row in rows) / len(rows))
        if log_extra is not None:
            log_extra("findings", [score.findings for score in scores])
            log_extra("reasons", [", ".join(score.reasons) for score in scores])
        return [score.reward for score in scores]


class CleanReward(_Reward):
    """A reward function of TRL with settings of its own. It can be pickled.

    Args:
        name: what TRL calls it where it logs.
        task_column: the dataset's column with tasks.
        settings: :class:`codelinter.Client`'s: ``verdict``, ``reward``, ``tasks``, ``timeout``, ``processors``.
    """

    def __init__(self, name: str = "clean_reward", task_column: str = "task", **settings: Any) -> None:
        super().__init__(name, task_column, settings)

    def __call__(
        self, prompts: Any = None, completions: Sequence[Any] = (), completion_ids: Any = None, **columns: Any
    ) -> List[float]:
        """Returns a reward for each completion, a text or a list of messages."""
        return self._log(self.client.score(*self._batch(completions, columns)), columns)


class AsyncCleanReward(_Reward):
    """Is :class:`CleanReward` as a coroutine, which TRL runs beside other asynchronous rewards."""

    def __init__(self, name: str = "clean_reward", task_column: str = "task", **settings: Any) -> None:
        super().__init__(name, task_column, settings)

    async def __call__(
        self, prompts: Any = None, completions: Sequence[Any] = (), completion_ids: Any = None, **columns: Any
    ) -> List[float]:
        """Returns a reward for each completion, a text or a list of messages."""
        return self._log(await self.client.ascore(*self._batch(completions, columns)), columns)


#: The reward with the settings that the environment gives, see :func:`codelinter.default_client`.
clean_reward = CleanReward()

#: The same as a coroutine.
async_clean_reward = AsyncCleanReward()
