"""Rewards for TRL's trainers (made for trl 1.16): GRPO, RLOO and all others that take reward functions.

    trainer = GRPOTrainer(model, reward_funcs=codelinter.trl.clean_reward, train_dataset=dataset, ...)

    trl grpo --reward_funcs codelinter.trl.clean_reward --dataset_name ...

The dataset's column ``task`` has the task as JSON, as
`codelinter dataset export --for trl` writes it, or an id of the client's tasks.
Without the column the answer is linted, and only the guards that need no task apply.

``tools=[codelinter.trl.lint]`` lets a model lint what it writes before it answers.

The reward of a completion that could not be scored is None. TRL leaves it out of its
group's advantages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, Tuple

from . import _client
from ._adapter import Scored, ascores_of, is_masked, means_of, reward_of, scores_of, task_of
from ._client import Client, Settings, Task
from ._error import Error
from ._turns import feedback

if TYPE_CHECKING:
    from typing_extensions import Unpack


class _Reward:
    """The common part of both kinds of reward: a client, a name, and the numbers to log."""

    def __init__(self, name: str, task_column: str, settings: Settings) -> None:
        #: By which TRL logs the reward.
        self.__name__ = name
        self._task_column = task_column
        self._settings = settings

    @property
    def client(self) -> Client:
        """The client, shared by all rewards of this process with the same settings."""
        return _client.default_client(**self._settings)

    def _batch(self, completions: Sequence[Any], columns: Dict[str, Any]) -> Tuple[Sequence[Any], List[Task]]:
        tasks = columns.get(self._task_column) or [None] * len(completions)
        return completions, [task_of(task) for task in tasks]

    def _log(self, scores: List[Scored], columns: Dict[str, Any]) -> List[Optional[float]]:
        log_metric: Optional[Callable[[str, float], None]] = columns.get("log_metric")
        log_extra: Optional[Callable[[str, List[Any]], None]] = columns.get("log_extra")
        if log_metric is not None and scores:
            for name, mean in means_of(scores, self.client).items():
                log_metric(f"{self.__name__}/{name}", mean)
        if log_extra is not None:
            log_extra("findings", [None if isinstance(score, Error) else score.found for score in scores])
            log_extra(
                "reasons", [str(score) if isinstance(score, Error) else ", ".join(score.reasons) for score in scores]
            )
        return [None if is_masked(score) else reward_of(score) for score in scores]


class CleanReward(_Reward):
    """A reward function of TRL with settings of its own. It can be pickled.

    Args:
        name: the reward's name in TRL's log.
        task_column: the dataset's column with tasks.
        settings: :class:`codelinter.Client`'s: ``verdict``, ``reward``, ``tasks``, ``timeout``, ``processors``.
    """

    def __init__(self, name: str = "clean_reward", task_column: str = "task", **settings: Unpack[Settings]) -> None:
        super().__init__(name, task_column, settings)

    def __call__(
        self, prompts: Any = None, completions: Sequence[Any] = (), completion_ids: Any = None, **columns: Any
    ) -> List[Optional[float]]:
        """Returns a reward for each completion, a text or a list of messages; None where there is none."""
        return self._log(scores_of(self.client, *self._batch(completions, columns)), columns)


class AsyncCleanReward(_Reward):
    """Is :class:`CleanReward` as a coroutine, which TRL runs beside other asynchronous rewards."""

    def __init__(self, name: str = "clean_reward", task_column: str = "task", **settings: Unpack[Settings]) -> None:
        super().__init__(name, task_column, settings)

    async def __call__(
        self, prompts: Any = None, completions: Sequence[Any] = (), completion_ids: Any = None, **columns: Any
    ) -> List[Optional[float]]:
        """Returns a reward for each completion, a text or a list of messages; None where there is none."""
        return self._log(await ascores_of(self.client, *self._batch(completions, columns)), columns)


def lint(
    code: str,
    max_line_length: Optional[int] = None,
    select: Optional[List[str]] = None,
    ignore: Optional[List[str]] = None,
) -> str:
    """Lint a Python program with flake8.

    Args:
        code: The whole program.
        max_line_length: How many characters a line may have, 79 if it is not given.
        select: Report only codes that begin with one of these.
        ignore: Do not report codes that begin with one of these.

    Returns:
        A line for each finding, or "flake8 finds nothing.".
    """
    options = {"max_line_length": max_line_length, "select": select, "ignore": ignore}
    given = {name: value for name, value in options.items() if value is not None}
    try:
        return feedback(_client.default_client().lint(code, **given)) or "flake8 finds nothing."
    except Error as error:  # which the model brought about, as a rule
        return f"error: {error}"


#: The reward with the settings that the environment gives, see :func:`codelinter.default_client`.
clean_reward = CleanReward()

#: The same as a coroutine.
async_clean_reward = AsyncCleanReward()
