"""Batches: completions and their tasks as the lines of requests, and the scores in the replies.

A batch becomes as many lines as it needs. The child works on several at once, and if it
dies, only the lines that it has not answered are sent again.
"""

from __future__ import annotations

import itertools
import os
from typing import Any, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union, cast

from . import _json
from ._error import Error
from ._score import Score
from ._settings import NO_TASK, NoTask, Task, Tasks

#: Bounds of one line.
LINE_COMPLETIONS = 64
LINE_BYTES = 1 << 20

#: How much of a completion or program is sent, in characters. The child refuses more than 1 MiB as too large.
TEXT_LENGTH = 1 << 21

#: What became of a completion: its score, or why there is none.
Scored = Union[Score, Error]


class KnownTasks:
    """The tasks that a client's calls may name by id.

    Raises:
        Error: a row is no task, or two have one id.
    """

    def __init__(self, tasks: Tasks) -> None:
        #: The file that the child reads them from; None without one.
        self.file: Optional[str] = None
        #: Whether None may stand for no task.
        self.none = tasks in (NO_TASK, NO_TASK.value)
        self._rows: Optional[Dict[str, bytes]] = None
        if isinstance(tasks, (str, os.PathLike)) and not self.none:
            self.file = os.fspath(tasks)
        elif tasks is not None and not self.none:
            self._rows = _rows_of(cast("Iterable[Mapping[str, Any]]", tasks))

    def field(self, task: Task) -> bytes:
        """Returns the field of a request that names a task; empty for NO_TASK.

        Raises:
            Error: it names none.
        """
        if task is NO_TASK or (self.none and _is_missing(task)):
            return b""
        if isinstance(task, Mapping):
            return b'"task":' + _json.dumps(task if isinstance(task, dict) else dict(task))
        if not isinstance(task, (bool, str)) and hasattr(task, "__index__"):
            task = int(task)  # an integer of numpy, say
        if isinstance(task, bool) or not isinstance(task, (str, int)) or _is_missing(task):
            found = repr(task) if _is_missing(task) else type(task).__name__
            raise Error(f"expected a dict, its JSON text, an id or NO_TASK, found {found}")
        if isinstance(task, str) and task.lstrip()[:1] == "{":
            return b'"task":' + _json.dumps(task)
        if self._rows is None:
            return b'"task_id":' + _json.dumps(task)
        row = self._rows.get(str(task))
        if row is None:
            raise Error(f"expected the id of one of {len(self._rows)} tasks, found {task!r:.80}")
        return b'"task":' + row


def _is_missing(task: object) -> bool:
    """Reports whether a value names no task: None, or a text of blanks, as trainers pass where a row has none."""
    return task is None or (isinstance(task, str) and not task.strip())


def _rows_of(tasks: Iterable[Mapping[str, Any]]) -> Dict[str, bytes]:
    """Returns tasks as JSON, by their ids."""
    rows: Dict[str, bytes] = {}
    for i, task in enumerate(tasks):
        try:
            name = str(task["meta"]["id"])
        except (KeyError, TypeError):
            raise Error(f"tasks[{i}]: expected a task with meta.id, found none") from None
        if name in rows:
            raise Error(f"tasks[{i}]: expected an id of its own, found {name!r} again")
        try:
            rows[name] = _json.dumps(task if isinstance(task, dict) else dict(task))
        except Error as error:
            raise Error(f"tasks[{i}]: {error}") from None
    return rows


class _Group(NamedTuple):
    """Consecutive completions of the same task. Trainers sample many of one prompt; their task is sent once."""

    task: bytes
    prompt: Optional[str]
    texts: List[str]

    def item(self) -> bytes:
        """Returns the item of a request, as JSON."""
        head = b'{"completions":' + _json.dumps(self.texts)
        if self.task:
            head += b"," + self.task
        if self.prompt is not None:
            head += b',"prompt":' + _json.dumps(self.prompt)
        return head + b"}"


class Batch:
    """Completions on their way.

    Args:
        head: the beginning of each request, as JSON: all before the items.
        completions: texts. An Error among them is its own score.
        tasks: a task for each, or one for all.
        prompts: with which each completion begins; None if they do not.
        known: the tasks that may be named by id.
    """

    def __init__(
        self,
        head: bytes,
        completions: Sequence[Any],
        tasks: Union[Task, Sequence[Task]],
        prompts: Optional[Sequence[str]],
        known: KnownTasks,
    ) -> None:
        completions = listed("completions", completions)
        self._size = len(completions)
        self._known = known
        #: Why a completion was not sent, by the completion's index.
        self._faults: Dict[int, Error] = {}
        groups = self._grouped(completions, self._each(tasks), prompts)
        #: For each line, the numbers of completions of its items, and its text.
        self.lines: List[Tuple[List[int], bytes]] = list(_lines(head, groups))

    def scores(self, replies: Iterable[Mapping[str, Any]]) -> List[Scored]:
        """Returns the scores of all completions. replies are those to the lines, in their order."""
        answered = (_scores(counts, reply) for (counts, _), reply in zip(self.lines, replies))
        found = itertools.chain.from_iterable(answered)
        return [self._faults[i] if i in self._faults else next(found) for i in range(self._size)]

    def _each(self, tasks: Any) -> Sequence[Task]:
        """Returns a task for each completion."""
        if tasks is None and not self._known.none:
            raise Error("tasks: expected a task, a list of tasks, or NO_TASK, found None")
        if tasks is None or isinstance(tasks, (str, int, Mapping, NoTask)):
            return [cast("Task", tasks)] * self._size
        each: Sequence[Task] = listed("tasks", tasks)
        if len(each) != self._size:
            raise Error(f"tasks: expected {self._size}, one a completion, found {len(each)}")
        return each

    def _grouped(
        self, completions: Sequence[Any], tasks: Sequence[Task], prompts: Optional[Sequence[str]]
    ) -> List[_Group]:
        """Returns the completions in groups by task, and notes the faults of invalid ones."""
        groups: List[_Group] = []
        last: Any = groups  # which is no task
        size = 0
        for i, (task, completion) in enumerate(zip(tasks, completions)):
            prompt = None if prompts is None else prompts[i]
            if not isinstance(completion, str):
                known = isinstance(completion, Error)
                self._faults[i] = completion if known else Error(f"expected a text, found {type(completion).__name__}")
                continue
            if prompts is not None and not isinstance(prompt, str):
                self._faults[i] = Error(f"prompts[{i}]: expected a text, found {type(prompt).__name__}")
                continue
            size += len(completion)
            small = groups and len(groups[-1].texts) < LINE_COMPLETIONS and size <= LINE_BYTES
            if small and prompt == groups[-1].prompt and (task is last or _same(task, last)):
                groups[-1].texts.append(completion)
                continue
            try:
                field = self._known.field(task)
            except Error as error:
                self._faults[i] = Error(f"tasks[{i}]: {error}")
                continue
            groups.append(_Group(field, prompt, [completion[:TEXT_LENGTH]]))
            last = task
            size = len(completion)
        return groups


def _lines(head: bytes, groups: Iterable[_Group]) -> Iterator[Tuple[List[int], bytes]]:
    """Yields the lines of groups, each with the numbers of completions of its items."""
    items: List[bytes] = []
    counts: List[int] = []
    size = 0
    for group in groups:
        item = group.item()
        if items and (size + len(item) > LINE_BYTES or sum(counts) + len(group.texts) > LINE_COMPLETIONS):
            yield counts, head + b",".join(items) + b"]}"
            items, counts, size = [], [], 0
        items.append(item)
        counts.append(len(group.texts))
        size += len(item)
    if items:
        yield counts, head + b",".join(items) + b"]}"


def _scores(counts: List[int], reply: Mapping[str, Any]) -> List[Scored]:
    """Returns the scores in the reply to a line. Each number is that of an item's completions."""
    if reply.get("error"):
        return [Error(str(reply["error"]))] * sum(counts)
    scores: List[Scored] = []
    try:
        if len(reply["scores"]) != len(counts):
            raise Error(f"expected scores of {len(counts)} items, found {len(reply['scores'])}")
        for count, item in zip(counts, reply["scores"]):
            of_item: List[Scored] = [Error(score["error"]) if score["error"] else Score(score) for score in item]
            if len(of_item) == 1 and isinstance(of_item[0], Error):
                of_item *= count  # an item that makes no sense has one score, whatever it asked for
            if len(of_item) != count:
                raise Error(f"expected {count} scores, found {len(of_item)}")
            scores += of_item
    except (KeyError, TypeError) as error:
        raise Error(f"expected scores, found a reply of another kind: {error!r}") from None
    return scores


def listed(what: str, values: Any) -> Sequence[Any]:
    """Returns values as a list, in their order: an index into a pandas series is a label, not a position."""
    if isinstance(values, (list, tuple)):
        return cast("Sequence[Any]", values)
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise Error(f"{what}: expected a list, found {type(cast('object', values)).__name__}")
    return [*values]


def _same(a: Task, b: Task) -> bool:
    """Reports whether two tasks are equal. Rows with arrays cannot be compared, and count as different."""
    try:
        return type(a) is type(b) and bool(a == b)
    except (ValueError, TypeError):
        return False
