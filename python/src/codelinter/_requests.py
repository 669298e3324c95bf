"""Requests: what is asked as the lines that the child reads, and what is read out of its replies.

A batch becomes as many lines as it needs. The child works on several at once, and if it
dies, only the lines that it has not answered are sent again.
"""

from __future__ import annotations

import functools
import itertools
import os
from typing import (
    Any,
    Callable,
    Dict,
    Generic,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
    cast,
)

from . import _json
from ._error import Error
from ._score import Edit, Finding, Score, findings_of
from ._session import Reply
from ._settings import NO_TASK, NoTask, Task, Tasks

_T = TypeVar("_T")

#: Bounds of one line.
LINE_TEXTS = 64
LINE_BYTES = 1 << 20

#: How much of a completion or program is sent, in characters. The child refuses more than 1 MiB as too large.
TEXT_LENGTH = 1 << 21

#: What became of a completion: its score, or why there is none.
Scored = Union[Score, Error]

#: What became of a program: its findings, or why there are none.
Linted = Union[List[Finding], Error]


class Request(Generic[_T]):
    """The lines of a request, and the function that reads the replies to them."""

    def __init__(self, lines: List[bytes], read: Callable[[List[Reply]], _T]) -> None:
        self.lines = lines
        self.read = read


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
            self._rows = {}
            for i, task in enumerate(cast("Iterable[Mapping[str, Any]]", tasks)):
                try:
                    name = str(task["meta"]["id"])
                except (KeyError, TypeError):
                    raise Error(f"tasks[{i}]: expected a task with meta.id, found none") from None
                if name in self._rows:
                    raise Error(f"tasks[{i}]: expected an id of its own, found {name!r} again")
                self._rows[name] = _dumped(f"tasks[{i}]: ", dict(task))

    def field(self, place: str, task: Task) -> bytes:
        """Returns the field of a request that names a task; empty for NO_TASK.

        Raises:
            Error: it names none.
        """
        if task is NO_TASK or (self.none and is_missing(task)):
            return b""
        if isinstance(task, Mapping):
            return b',"task":' + _dumped(place, dict(task))
        if not isinstance(task, (bool, str)) and hasattr(task, "__index__"):
            task = int(task)  # an integer of numpy, say
        if isinstance(task, bool) or not isinstance(task, (str, int)) or is_missing(task):
            found = repr(task) if is_missing(task) else type(task).__name__
            raise Error(f"{place}expected a dict, its JSON text, an id or NO_TASK, found {found}")
        if isinstance(task, str) and task.lstrip()[:1] == "{":
            return b',"task":' + _json.dumps(task)
        if self._rows is None:
            return b',"task_id":' + _json.dumps(task)
        if str(task) not in self._rows:
            raise Error(f"{place}expected the id of one of {len(self._rows)} tasks, found {task!r:.80}")
        return b',"task":' + self._rows[str(task)]

    def each(self, tasks: Any, count: int) -> Sequence[Task]:
        """Returns a task for each of count completions."""
        if tasks is None and not self.none:
            raise Error("tasks: expected a task, a list of tasks, or NO_TASK, found None")
        if tasks is None or isinstance(tasks, (str, int, Mapping, NoTask)):
            return [cast("Task", tasks)] * count
        each: Sequence[Task] = listed("tasks", tasks)
        if len(each) != count:
            raise Error(f"tasks: expected {count}, one a completion, found {len(each)}")
        return each


def _dumped(place: str, value: Any) -> bytes:
    try:
        return _json.dumps(value)
    except Error as error:
        raise Error(f"{place}{error}") from None


def is_missing(task: object) -> bool:
    """Reports whether a value names no task: None, or a text of blanks, as trainers pass where a row has none."""
    return task is None or (isinstance(task, str) and not task.strip())


def scores(
    settings: Mapping[str, Any],
    completions: Sequence[Any],
    tasks: Union[Task, Sequence[Task]],
    prompts: Optional[Sequence[str]],
    known: KnownTasks,
) -> Request[List[Scored]]:
    """Returns a request for the scores of completions.

    Args:
        settings: the fields of each line but its items.
        completions: texts. An Error among them is its own score.
        tasks: a task for each, or one for all.
        prompts: with which each completion begins; None if they do not.
        known: the tasks that may be named by id.
    """
    completions = listed("completions", completions)
    found: List[Scored] = [_NONE] * len(completions)
    rows: List[_Row] = []
    last: Tuple[Any, bytes] = (found, b"")  # which is no task
    for i, (task, completion) in enumerate(zip(known.each(tasks, len(completions)), completions)):
        try:
            text = _text("", completion)
            prompt = b"" if prompts is None else b',"prompt":' + _json.dumps(_text(f"prompts[{i}]: ", prompts[i]))
            # Trainers sample many answers of one prompt, and give its task with each.
            last = last if task is last[0] else (task, known.field(f"tasks[{i}]: ", task))
        except Error as error:
            found[i] = error
        else:
            rows.append((last[1] + prompt, text[:TEXT_LENGTH], i))
    head = _json.dumps({**settings, "items": []})[:-2]

    def items_of(line: List[_Row]) -> List[Tuple[bytes, List[str]]]:
        """Returns the items of a line. Consecutive answers to one task are one, so that the task is sent once."""
        return [
            (rest, [row[1] for row in of_item]) for rest, of_item in itertools.groupby(line, key=lambda row: row[0])
        ]

    def encode(line: List[_Row]) -> bytes:
        items = (b'{"completions":' + _json.dumps(texts) + rest + b"}" for rest, texts in items_of(line))
        return head + b",".join(items) + b"]}"

    def decode(line: List[_Row], reply: Reply) -> List[Scored]:
        items = items_of(line)
        if len(reply["scores"]) != len(items):
            raise Error(f"expected scores of {len(items)} items, found {len(reply['scores'])}")
        return [score for (_, texts), of_item in zip(items, reply["scores"]) for score in _scores(len(texts), of_item)]

    return _batch("scores", rows, encode, decode, found)


def _scores(count: int, rows: Any) -> List[Scored]:
    """Returns the scores of an item. One that makes no sense has one score, whatever it asked for."""
    found: List[Scored] = [Error(row["error"]) if row["error"] else Score(row) for row in rows]
    if len(found) == 1 and isinstance(found[0], Error):
        found *= count
    if len(found) != count:
        raise Error(f"expected {count} scores, found {len(found)}")
    return found


def program(code: str, options: Mapping[str, Any]) -> Request[List[Finding]]:
    """Returns a request to lint one program, of any length that the child reads."""
    line = _json.dumps({"lint": {"code": _text("code: ", code), "options": _named(options)}})
    return Request(
        [line], lambda replies: _read("findings", replies[0], lambda reply: [*findings_of(reply["findings"])])
    )


def programs(codes: Sequence[Any], options: Mapping[str, Any]) -> Request[List[Linted]]:
    """Returns a request to lint programs."""
    codes = listed("codes", codes)
    found: List[Linted] = [_NONE] * len(codes)
    rows: List[_Row] = []
    for i, code in enumerate(codes):
        try:
            rows.append((b"", _text("", code)[:TEXT_LENGTH], i))
        except Error as error:
            found[i] = error

    def encode(line: List[_Row]) -> bytes:
        return _json.dumps({"lint": {"files": {str(i): text for _, text, i in line}, "options": _named(options)}})

    def decode(line: List[_Row], reply: Reply) -> List[Linted]:
        problems = [(str(i), reply["errors"][str(i)]) for _, _, i in line]
        return [Error(problem) if problem else [*findings_of(reply["files"][i])] for i, problem in problems]

    return _batch("findings", rows, encode, decode, found)


def edit(before: str, after: str, name: str, run: bool, options: Mapping[str, Any]) -> Request[Edit]:
    """Returns a request to compare two texts of a file."""
    texts = {key: _text(f"{key}: ", text) for key, text in (("before", before), ("after", after), ("name", name))}
    line = _json.dumps({"edit": {**texts, "run": bool(run), "options": _named(options)}})
    return Request([line], lambda replies: _read("the result of an edit", replies[0], Edit.of))


#: A text of a batch: the rest of its item, as JSON; the text; and its place.
_Row = Tuple[bytes, str, int]

#: A placeholder for what has not come yet.
_NONE = Error("there is none")


def _batch(
    what: str,
    rows: Iterable[_Row],
    encode: Callable[[List[_Row]], bytes],
    decode: Callable[[List[_Row], Reply], List[Union[_T, Error]]],
    found: List[Union[_T, Error]],
) -> Request[List[Union[_T, Error]]]:
    """Returns a request of as many lines as its texts need, whose replies are put at the places of these in found."""
    lines = [*_packed(rows)]

    def read(replies: List[Reply]) -> List[Union[_T, Error]]:
        for line, reply in zip(lines, replies):
            try:
                values = _read(what, reply, functools.partial(decode, line))
            except Error as error:
                values = [error] * len(line)
            for (_, _, i), value in zip(line, values):
                found[i] = value
        return found

    return Request([encode(line) for line in lines], read)


def _packed(rows: Iterable[_Row]) -> Iterator[List[_Row]]:
    """Yields texts in lines of bounded size."""
    line: List[_Row] = []
    size = 0
    for row in rows:
        size += len(row[0]) + len(row[1])
        if line and (size > LINE_BYTES or len(line) == LINE_TEXTS):
            yield line
            line, size = [], len(row[0]) + len(row[1])
        line.append(row)
    if line:
        yield line


def _read(what: str, reply: Reply, of: Callable[[Reply], _T]) -> _T:
    """Returns what a reply has, or raises the Error that it has in place of that."""
    if problem := str(reply.get("error") or ""):
        # Of a request of ours, as what callers give has its place before that.
        older = problem.startswith("unknown key")
        raise Error(f"{problem}: expected a binary of this package's version" if older else problem)
    try:
        return of(reply)
    except (KeyError, TypeError) as error:
        raise Error(f"expected {what}, found a reply of another kind: {error!r}") from None


def _text(place: str, text: Any) -> str:
    if isinstance(text, str):
        return text
    raise text if isinstance(text, Error) else Error(f"{place}expected a text, found {type(text).__name__}")


def listed(what: str, values: Any) -> Sequence[Any]:
    """Returns values as a list, in their order: an index into a pandas series is a label, not a position."""
    if isinstance(values, (list, tuple)):
        return cast("Sequence[Any]", values)
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise Error(f"{what}: expected a list, found {type(cast('object', values)).__name__}")
    return [*values]


def _named(options: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns options under flake8's names."""
    return {name.replace("_", "-"): value for name, value in options.items()}
