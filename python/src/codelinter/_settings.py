"""A client's settings: what they may be, and where they come from."""

from __future__ import annotations

import enum
import importlib
import os
import re
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Final,
    Iterable,
    List,
    Literal,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    TypedDict,
    Union,
    cast,
)

from . import rewards
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

#: Folders of flake8 plugins, as wheels or as installed packages, that tasks may name in their options: one, or several.
Plugins = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]], None]

#: The verdict that decides whether an answer passes, see :class:`codelinter.Client`.
Verdict = Literal["guarded", "official"]

#: A rule for rewards: ``"binary"``, ``"shaped"``, a formula of terms such as ``"graded*meaning + 0.5*tests"``, or a
#: function of a score, such as a :class:`codelinter.rewards.Sum`. In the configuration of a framework, or in the
#: environment, a function is written ``"module:name"``.
Reward = Union[str, Callable[[Score], float]]

#: The reward of an answer if it cannot be decided whether the answer keeps the logic.
OnUnknown = Literal["zero", "mask", "official"]

VERDICTS = ("guarded", "official")
ON_UNKNOWN = ("zero", "mask", "official")
REWARDS = ("binary", "shaped")
#: The terms of formulas.
TERMS = (*(name for name in rewards.__all__ if name[0].islower()), "shaped")


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
    plugins: Plugins


class Settings(OpenSetSettings, total=False):
    """:class:`codelinter.Client`'s settings. A setting that is None or missing is taken from the environment."""

    tasks: Tasks


def reward_of_setting(reward: Reward, verdict: Verdict) -> Reward:
    """Returns the rule that a setting means.

    Raises:
        Error: it is none, or the verdict has no such reward.
    """
    given: Any = _imported(reward) if isinstance(reward, str) and ":" in reward else reward
    names = [name for product in _products(given) for name in product] if isinstance(given, str) else []
    if not callable(given) and (not names or not {*names} <= {*REWARDS, *TERMS}):  # the binary says more of a formula
        rules = f"one of {REWARDS}, a formula of {', '.join(TERMS)}, or a function of a score"
        raise Error(f"reward: expected {rules}, found {reward!r}")
    needing = [name for name in names if name in rewards.GUARDED]
    if isinstance(given, Sum):
        needing = [term.name for term in given.terms if term.guarded]
    if verdict == "official" and needing:
        raise Error(f"reward: the official verdict has none but 'binary' and formulas without {needing[0]!r}")
    return cast("Reward", given)


def terms_of(reward: Reward) -> List[str]:
    """Returns the names of a reward's terms, under which they are logged; none if it is no formula and no Sum."""
    if isinstance(reward, Sum):
        return [term.name for term in reward.terms]
    return (
        ["_".join(factors) for factors in _products(reward)]
        if isinstance(reward, str) and reward not in REWARDS
        else []
    )


def _products(formula: str) -> List[List[str]]:
    """Returns the names of the factors of each product in a formula. The binary reads the rest."""
    products = re.sub(r"\([^)]*\)|\s", "", formula).partition(",")[0].split("+")
    return [[factor for factor in product.split("*") if not re.match(r"[-.\d]", factor)] for product in products]


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


def folders_of(plugins: Plugins) -> Tuple[str, ...]:
    """Returns the folders of the setting ``plugins``."""
    if plugins is None:
        return ()
    if isinstance(plugins, (str, os.PathLike)):
        return (os.fspath(plugins),)
    return tuple(os.fspath(folder) for folder in plugins)


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
    ("plugins", lambda text: tuple(text.split(os.pathsep)), "folders"),
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
    """Returns what tells settings apart; of a list of tasks its identity."""
    return tuple((name, _hashable(settings[name])) for name in sorted(settings))


def _hashable(setting: Any) -> Any:
    try:
        hash(setting)
    except TypeError:
        return type(setting), id(setting)
    return setting
