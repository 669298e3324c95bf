"""Rewards for TRL's trainers (made for trl 1.16): GRPO, RLOO and all others that take reward functions.

    trainer = GRPOTrainer(model, reward_funcs=codelinter.trl.clean_reward, train_dataset=dataset, ...)

    trl grpo --reward_funcs codelinter.trl.clean_reward --dataset_name ...

The dataset's column ``task`` has the task as JSON, as
`codelinter dataset export --for trl` writes it, or an id of the client's tasks.
Without the column the answer is linted, and only the guards that need no task apply; the log says so.
A row without a task has no reward.

Two rewards have two names in TRL's log, such as ``clean_reward`` and ``clean_reward_official``.

``tools=[codelinter.trl.lint]`` lets a model lint what it writes before it answers.

The reward of a completion that could not be scored is None. TRL leaves it out of its
group's advantages.
"""

from __future__ import annotations

import functools
import itertools
import logging
import re
import weakref
from typing import TYPE_CHECKING, Any, Callable, ClassVar, Dict, List, Optional, Sequence, cast

from . import _client
from ._adapter import Scoring, is_masked, means_of, reward_of, task_of
from ._client import Client
from ._error import Error
from ._requests import Scored
from ._settings import NO_TASK, Settings, Task
from ._turns import feedback
from .rewards import Sum

if TYPE_CHECKING:
    from typing_extensions import Unpack

_log = logging.getLogger("codelinter")


class _Reward:
    """The common part of both kinds of reward: a client, a name, and the numbers to log."""

    _base: ClassVar[str]

    def __init__(self, name: Optional[str], task_column: str, settings: Settings) -> None:
        #: By which TRL logs the reward.
        self.__name__ = _name_for(self._base, settings) if name is None else name
        self.task_column = task_column
        self.settings = settings
        self.called = False
        self._scoring = Scoring()
        _rewards.add(self)

    @property
    def client(self) -> Client:
        """The client, shared by all rewards of this process with the same settings."""
        return _client.default_client(**self.settings)

    def _tasks(self, completions: Sequence[Any], columns: Dict[str, Any]) -> List[Task]:
        first, self.called = not self.called, True
        if self.task_column in columns:
            return [task_of(task) for task in columns[self.task_column] or [None] * len(completions)]
        if first and not self.client.tasks.none:
            _log.warning("%s: there is no column %r: answers are only linted", self.__name__, self.task_column)
        return [NO_TASK] * len(completions)

    def _logged(self, scores: List[Scored], columns: Dict[str, Any]) -> List[Optional[float]]:
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
        name: the reward's name in TRL's log. None is ``clean_reward`` or, if another reward has that name, one that
            tells its settings, such as ``clean_reward_official``.
        task_column: the dataset's column with tasks.
        settings: :class:`codelinter.Client`'s: ``verdict``, ``reward``, ``tasks``, ``timeout``, ``processors``.
    """

    _base = "clean_reward"

    def __init__(self, name: Optional[str] = None, task_column: str = "task", **settings: Unpack[Settings]) -> None:
        super().__init__(name, task_column, settings)

    def __call__(
        self, prompts: Any = None, completions: Sequence[Any] = (), completion_ids: Any = None, **columns: Any
    ) -> List[Optional[float]]:
        """Returns a reward for each completion, a text or a list of messages; None where there is none."""
        tasks = self._tasks(completions, columns)
        return self._logged(self._scoring.scores(self.client, completions, tasks), columns)


class AsyncCleanReward(_Reward, functools.partial[Any]):
    """Is :class:`CleanReward` as a coroutine, which TRL runs beside other asynchronous rewards.

    It is a partial object because the inspect module says of these alone, and not of other objects,
    that they are coroutine functions. TRL logs a partial object by the name of its function.
    """

    _base = "async_clean_reward"

    def __new__(cls, *_: Any, **__: Any) -> AsyncCleanReward:
        async def coroutine() -> None:
            """What TRL sees of the reward: that it is a coroutine function, and its name."""

        return functools.partial.__new__(cls, coroutine)

    def __init__(self, name: Optional[str] = None, task_column: str = "task", **settings: Unpack[Settings]) -> None:
        super().__init__(name, task_column, settings)
        cast("Any", self.func).__name__ = self.__name__

    async def __call__(
        self, prompts: Any = None, completions: Sequence[Any] = (), completion_ids: Any = None, **columns: Any
    ) -> List[Optional[float]]:
        """Returns a reward for each completion, a text or a list of messages; None where there is none."""
        tasks = self._tasks(completions, columns)
        return self._logged(await self._scoring.ascores(self.client, completions, tasks), columns)

    def __reduce__(self) -> Any:
        return functools.partial(AsyncCleanReward, self.__name__, self.task_column, **self.settings), ()

    __repr__ = object.__repr__


#: The rewards that there are.
_rewards: weakref.WeakSet[_Reward] = weakref.WeakSet()


def _name_for(base: str, settings: Settings) -> str:
    """Returns a name that no other reward has: base, or with the settings, or with a number.

    A reward that has been called is of a trainer that has read its name: it leaves the name to the next run's.
    """
    taken = {reward.__name__ for reward in list(_rewards) if not reward.called}
    words = "_".join([base, *filter(None, (_word(name, value) for name, value in settings.items()))])
    names = itertools.chain((base, words), (f"{words}_{n}" for n in itertools.count(2)))
    return next(name for name in names if name not in taken)


def _word(name: str, value: Any) -> str:
    """Returns what a setting adds to a name: nothing if it is the default, or says nothing of the reward."""
    if name not in ("verdict", "reward", "on_unknown") or value in (None, "guarded", "binary", "zero"):
        return ""
    if isinstance(value, Sum):
        return "_".join(term.name for term in value.terms)
    word = value if isinstance(value, str) else getattr(value, "__name__", type(value).__name__)
    return re.sub(r"\W+", "_", word.rpartition(":")[2]).strip("_")


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


if TYPE_CHECKING:
    #: The reward with the settings that the environment gives, see :func:`codelinter.default_client`.
    clean_reward: CleanReward
    #: The same as a coroutine.
    async_clean_reward: AsyncCleanReward


def __getattr__(name: str) -> Any:
    # Made when it is asked for, as it has a name then that no other reward can have.
    for kind in (CleanReward, AsyncCleanReward):
        if name == kind._base:
            return globals().setdefault(name, kind())
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
