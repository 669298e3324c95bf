"""A client's settings: what they may be, and where they come from."""

from __future__ import annotations

import contextlib
import enum
import importlib
import os
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Final,
    Iterable,
    Literal,
    Mapping,
    Optional,
    Tuple,
    TypedDict,
    Union,
    cast,
)

from ._error import Error
from ._score import Score
from .rewards import Sum

if TYPE_CHECKING:
    from typing_extensions import Unpack


class NoTask(enum.Enum):
    """The type of :data:`NO_TASK`."""

    NO_TASK = "none"

    def __repr__(self) -> str:
        return "NO_TASK"


#: Says that there is no task: an answer is linted, and checked by the guards that need no program. None does not say
#: it, as a row without its task would then pass with any clean program.
NO_TASK: Final = NoTask.NO_TASK

#: A task: the row of a file of tasks, as a dict or as its JSON text; or the id of one of the client's ``tasks``; or
#: :data:`NO_TASK`.
Task = Union[Mapping[str, Any], str, int, NoTask]

#: What a client's ``tasks`` may be: a file of tasks, or the tasks themselves. None is the open set.
Tasks = Union[str, "os.PathLike[str]", Iterable[Mapping[str, Any]], NoTask, None]

#: The verdict that decides whether an answer passes, see :class:`codelinter.Client`.
Verdict = Literal["guarded", "official"]

#: The name of a rule for rewards.
RewardName = Literal["binary", "shaped"]

#: A rule for rewards: its name, or a function of a score, such as a :class:`codelinter.rewards.Sum`. In the
#: configuration of a framework, or in the environment, a function is written ``"module:name"``.
Reward = Union[RewardName, Callable[[Score], float]]

#: The reward of an answer if it cannot be decided whether the answer keeps the logic.
OnUnknown = Literal["zero", "mask", "official"]

VERDICTS = ("guarded", "official")
REWARDS = ("binary", "shaped")
ON_UNKNOWN = ("zero", "mask", "official")


class OpenSetSettings(TypedDict, total=False):
    """:class:`Settings` of a client of the open set."""

    verdict: Optional[Verdict]
    reward: Optional[Reward]
    on_unknown: Optional[OnUnknown]
    timeout: Optional[float]
    processors: Optional[int]
    binary: Optional[str]
    strict: Optional[bool]
    details: Optional[bool]


class Settings(OpenSetSettings, total=False):
    """:class:`codelinter.Client`'s settings. A setting that is None or missing is taken from the environment."""

    tasks: Tasks


def reward_of_setting(reward: Reward, verdict: Verdict) -> Reward:
    """Returns the rule that a setting means.

    Raises:
        Error: it is none, or the verdict has no such reward.
    """
    given: Any = _imported(reward) if isinstance(reward, str) and ":" in reward else reward
    if given not in REWARDS and not callable(given):
        raise Error(f"reward: expected one of {REWARDS} or a function of a score, found {reward!r}")
    if given == "shaped" and verdict == "official":
        raise Error("reward: the official verdict has none but 'binary', found 'shaped'")
    return cast("Reward", given)


def _imported(name: str) -> Any:
    """Returns the object that ``"module:name"`` names."""
    module, _, attribute = name.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise Error(f"reward: expected the name of a function, found {name!r}: {error}") from None


def one_of(name: str, values: Tuple[str, ...], given: str) -> None:
    """Raises an Error unless a setting is one of its values."""
    if given not in values:
        raise Error(f"{name}: expected one of {values}, found {given!r}")


def seconds_of(timeout: Any) -> float:
    """Returns the setting ``timeout`` as seconds above 0, or raises an Error."""
    try:
        seconds = float(timeout)
    except (TypeError, ValueError):
        seconds = 0.0
    if not seconds > 0:
        raise Error(f"timeout: expected seconds above 0, found {timeout!r}")
    return seconds


def _switch(text: str) -> bool:
    if text not in ("0", "1"):
        raise ValueError(text)
    return text == "1"


#: The settings that the environment may give, as ``CODELINTER_VERDICT`` and so on, with what reads them.
_FROM_ENVIRONMENT: Tuple[Tuple[str, Callable[[str], Any], str], ...] = (
    ("verdict", str, "a text"),
    ("reward", str, "a text"),
    ("tasks", str, "a text"),
    ("timeout", float, "a number"),
    ("strict", _switch, "1 or 0"),
    ("on_unknown", str, "a text"),
)


def with_environment(**given: Unpack[Settings]) -> Dict[str, Any]:
    """Returns the settings that are given, and for those that are not, those of the environment."""
    settings: Dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    for name, convert, expected in _FROM_ENVIRONMENT:
        value = os.environ.get(f"CODELINTER_{name.upper()}")
        if value and name not in settings:
            try:
                settings[name] = convert(value)
            except ValueError:
                raise Error(f"CODELINTER_{name.upper()}: expected {expected}, found {value!r}") from None
    return settings


def key_of(settings: Mapping[str, Any]) -> Tuple[Tuple[str, Any], ...]:
    """Returns what tells settings apart: of a list of tasks its identity, and of a function too, unless it is a Sum."""
    return tuple((name, _identity(settings[name])) for name in sorted(settings))


def _identity(setting: Any) -> Any:
    if isinstance(setting, (str, int, float, NoTask)):
        return setting
    if isinstance(setting, os.PathLike):
        return os.fspath(cast("os.PathLike[str]", setting))
    if isinstance(setting, Sum):
        with contextlib.suppress(TypeError):  # a term that somebody else made has no hash
            hash(setting)
            return setting
    return type(setting), id(setting)
