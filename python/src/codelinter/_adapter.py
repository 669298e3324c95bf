"""The adapters' common part: reading completions and tasks, missing rewards, and tasks with their prompts."""

from __future__ import annotations

import difflib
import json
import logging
import re
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union, cast

from ._check import run
from ._client import Client
from ._error import Error
from ._requests import Scored, is_missing
from ._score import NUMBERS
from ._settings import NO_TASK, Task

_log = logging.getLogger("codelinter")

#: After how many completions in a row without a score an adapter raises, as a setting must be wrong and not a row.
_FAILURES = 64

#: A token that ends a turn, at the end of a text that was decoded with such.
_END_OF_TURN = re.compile(r"(?:<\|[^<>|\s]{1,40}\|>|</s>|<eos>|<end_of_turn>|<\uff5c[^<>\uff5c\s]{1,40}\uff5c>)\Z")


def text_of(completion: Any) -> str:
    """Returns the text of a completion: a text, or messages, of which the last one of the assistant counts.

    A message's content may be a text, a list of parts, or None if the model spent its
    tokens on something else. None is an empty answer.

    Raises:
        Error: it is neither, or has no message of the assistant.
    """
    if isinstance(completion, str):
        return completion
    if isinstance(completion, Error):
        raise completion
    for message in reversed(_items(completion)):
        if isinstance(message, Mapping):
            fields = cast("Mapping[str, Any]", message)
            if fields.get("role", "assistant") != "assistant":
                continue
            content = fields.get("content")
            if content is None or isinstance(content, str):
                return content or ""
            if isinstance(content, (list, tuple)):
                parts = [cast("Mapping[str, Any]", part) for part in _items(content) if isinstance(part, Mapping)]
                return "".join(str(part.get("text") or "") for part in parts)
            break
    raise Error(f"expected a text or messages with one of the assistant, found {completion!r:.100}")


def _items(value: Any) -> Sequence[object]:
    """Returns the items of a list; one item for an object, and none for anything else."""
    if isinstance(value, Mapping):
        return [cast("object", value)]
    return cast("Sequence[object]", value) if isinstance(value, (list, tuple)) else ()


def text_or_error(completion: Any) -> Union[str, Error]:
    """Is :func:`text_of`, but returns the Error instead of raising it."""
    try:
        return text_of(completion)
    except Error as error:
        return error


class Scoring:
    """How a reward function gets its scores. Each has one of its own, as it counts failures in a row.

    A completion that could not be scored has the Error in its place, and the log says
    so; the others have their scores. A ``strict`` client raises the Error instead. If
    nothing can be scored, a setting is wrong, and every client raises.
    """

    def __init__(self) -> None:
        self._failures = 0

    def scores(
        self, client: Client, completions: Sequence[Any], tasks: Sequence[Task], prompts: Optional[Sequence[str]] = None
    ) -> List[Scored]:
        """Returns the score of each completion."""
        given = [text_or_error(completion) for completion in completions]
        return self._checked(client, client.try_score(given, tasks, prompts, details=False))

    async def ascores(self, client: Client, completions: Sequence[Any], tasks: Sequence[Task]) -> List[Scored]:
        """Is :meth:`scores` for event loops."""
        given = [text_or_error(completion) for completion in completions]
        return self._checked(client, await client.atry_score(given, tasks, details=False))

    def _checked(self, client: Client, scores: List[Scored]) -> List[Scored]:
        for i, score in enumerate(scores):
            if not isinstance(score, Error):
                self._failures = 0
                continue
            self._failures += 1
            problem = f"completions[{i}] of {len(scores)}: {score}"
            if client.strict or self._failures >= _FAILURES:
                raise Error(problem)
            _log.warning("no reward: %s", problem)
        if len(scores) > 1 and all(isinstance(score, Error) for score in scores):
            raise Error(f"none of {len(scores)} completions could be scored: {scores[0]}")
        return scores


def is_masked(score: Scored) -> bool:
    """Reports whether there is no reward, so that a trainer should leave the completion out."""
    return isinstance(score, Error) or score.masked


def reward_of(score: Scored) -> float:
    """Returns the reward as a number, for trainers that have no other; see :func:`is_masked`."""
    return 0.0 if isinstance(score, Error) else score.reward


#: What has no score, for the keys that it has.
NONE = Error("there is none")


def numbers_of(score: Scored, client: Client) -> Dict[str, float]:
    """Returns :meth:`Score.numbers`. An Error has the same keys, with 1.0 for ``error``."""
    if not isinstance(score, Error):
        return score.numbers()
    names = [*(f"term_{name}" for name in client.terms), *NUMBERS]
    return {**dict.fromkeys(names, 0.0), "masked": 1.0, "error": 1.0}


def means_of(scores: Sequence[Scored], client: Client) -> Dict[str, float]:
    """Returns the means of the numbers, without those that have no value.

    ``masked`` and ``error`` are shares of all completions, ``reward`` is the mean of
    those that are not masked, and the others are means of those with a score.
    """
    rows = [numbers_of(score, client) for score in scores]
    left_out = {"masked": "", "error": "", "reward": "masked"}
    means: Dict[str, float] = {}
    for name in rows[0] if rows else ():
        # What is masked has no terms.
        out = left_out.get(name, "masked" if name.startswith("term_") else "error")
        values = [row[name] for row in rows if not out or not row[out]]
        if values:
            means[name] = sum(values) / len(values)
    return means


def without_end_of_turn(text: str) -> str:
    """Returns text without the special tokens that it ends with, such as ``<|im_end|>`` and ``</s>``.

    The newline before them stays: it is the program's.
    """
    end = len(text)
    while True:
        bare = end
        while bare and text[bare - 1].isspace():
            bare -= 1
        found = _END_OF_TURN.search(text[max(bare - 48, 0) : bare])
        if found is None:
            return text[:end]
        end = bare - len(found[0])


def task_of(*candidates: Any) -> Task:
    """Returns the first of candidates that names a task.

    NO_TASK stands for a column that is not there. None and "" name none: trainers pass them
    where a row has no such column. They are no task and an error, unless the client has no tasks.
    """
    task: Any = NO_TASK
    for candidate in candidates:
        if candidate is NO_TASK:
            continue
        task = candidate
        if hasattr(task, "item") and not isinstance(task, Mapping):
            task = task.item()  # a scalar of numpy
        if not is_missing(cast("object", task)):
            break
    return cast("Task", task)


#: The client's settings that a framework's configuration may hold.
SETTINGS = ("verdict", "reward", "on_unknown", "tasks", "timeout", "processors", "strict")


def settings_of(where: str, given: Mapping[str, Any], sent: Sequence[str]) -> Dict[str, Any]:
    """Returns the client's settings among a framework's arguments. The framework also passes the arguments in ``sent``.

    Raises:
        Error: there is another argument. It may be a misspelt setting, which must not be ignored.
    """
    for name in given:
        if name not in SETTINGS and name not in sent:
            meant = difflib.get_close_matches(str(name), SETTINGS, 1)
            hint = f"did you mean {meant[0]!r}?" if meant else f"expected one of {', '.join(SETTINGS)}"
            raise Error(f"{where}: unknown key {str(name)[:80]!r}: {hint}")
    return {name: value for name, value in given.items() if name in SETTINGS}


def answered(completion: Any) -> Union[str, Error]:
    """Returns the text of a completion, without the end-of-turn tokens that it was decoded with."""
    answer = text_or_error(completion)
    return without_end_of_turn(answer) if isinstance(answer, str) else answer


def tasks_with_prompts(tasks: Optional[str] = None) -> List[Dict[str, str]]:
    """Returns a row for each task of a file, or of the open set: its ``id``, its ``prompt``, and the ``task`` as JSON.

    Raises:
        Error: the file is no file of tasks; the message is the binary's.
    """
    of = ["--tasks", str(tasks)] if tasks else []
    return [json.loads(line) for line in run(["dataset", "export", "--for", "verifiers", *of]).splitlines()]
