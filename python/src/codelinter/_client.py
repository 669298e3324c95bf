"""The client: completions in, scores out."""

from __future__ import annotations

import asyncio
import concurrent.futures
import importlib
import itertools
import math
import os
import threading
import time
import weakref
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Iterable,
    List,
    Literal,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    TypedDict,
    Union,
    cast,
)

from . import _json
from ._binary import find_binary
from ._error import Error, NoChildError
from ._score import Finding, Score, findings_of
from ._session import Line, Session
from .rewards import Sum

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: A task: the row of a file of tasks, as a dict or as its JSON text; or the id of
#: one of the client's ``tasks``; or None. With None an answer is linted, and checked
#: by the guards that need no program.
Task = Union[Mapping[str, Any], str, int, None]

#: What a client's ``tasks`` may be: a file of tasks, or the tasks themselves.
Tasks = Union[str, "os.PathLike[str]", Iterable[Mapping[str, Any]], None]

#: The verdict that decides whether an answer passes, see :class:`Client`.
Verdict = Literal["guarded", "official"]

#: The name of a rule for rewards.
RewardName = Literal["binary", "shaped"]

#: A rule for rewards: its name, or a function of a score, such as a :class:`codelinter.rewards.Sum`. In the
#: configuration of a framework, or in the environment, a function is written ``"module:name"``.
Reward = Union[RewardName, Callable[[Score], float]]

#: The reward of an answer if it cannot be decided whether the answer keeps the logic.
OnUnknown = Literal["zero", "mask", "official"]


class _OpenSetSettings(TypedDict, total=False):
    """:class:`Settings` of a client of the open set."""

    verdict: Optional[Verdict]
    reward: Optional[Reward]
    on_unknown: Optional[OnUnknown]
    timeout: Optional[float]
    processors: Optional[int]
    binary: Optional[str]
    strict: Optional[bool]
    details: Optional[bool]


class Settings(_OpenSetSettings, total=False):
    """:class:`Client`'s settings. A setting that is None or missing is taken from the environment."""

    tasks: Tasks


#: Bounds of one line. A batch becomes as many lines as it needs. The child works on
#: several lines at once. If it dies, only the lines that it has not answered are sent again.
_LINE_COMPLETIONS = 64
_LINE_BYTES = 1 << 20

#: How much of a completion is sent, in characters. The child refuses more than 1 MiB as too large.
_TEXT_LENGTH = 1 << 21

#: How many seconds too early a wait may end.
_EARLY = 0.05

#: A batch of this many bytes or more is encoded on another thread, so that it does not block the event loop.
_LOOP_BYTES = 1 << 16

_VERDICTS = ("guarded", "official")
_REWARDS = ("binary", "shaped")
#: The reward that the child is asked for if the client's own reward is a function.
_ASKED = {"guarded": "shaped", "official": "binary"}
_ON_UNKNOWN = ("zero", "mask", "official")


#: A placeholder for findings that have not come yet.
_NOT_LINTED = Error("it was not linted")


class _Batch(NamedTuple):
    """A batch that was sent."""

    size: int
    #: Why a completion was not sent, by the completion's index.
    faults: Dict[int, Error]
    #: The lines of the others, in order. With each line goes the number of completions of each of its items.
    lines: List[Tuple[List[int], Line]]

    def scores(self, replies: Iterable[List[Union[Score, Error]]]) -> List[Union[Score, Error]]:
        """Returns the scores of all completions. replies holds the scores of each line."""
        found = itertools.chain.from_iterable(replies)
        return [self.faults[i] if i in self.faults else next(found) for i in range(self.size)]


class _Group(NamedTuple):
    """Consecutive completions of the same task."""

    field: bytes
    task: bytes
    prompt: Optional[str]
    texts: List[str]

    def item(self) -> bytes:
        """Returns the item of a request, as JSON."""
        head = b'{"completions":' + _json.dumps(self.texts)
        if self.field:
            head += b"," + self.field + b":" + self.task
        if self.prompt is not None:
            head += b',"prompt":' + _json.dumps(self.prompt)
        return head + b"}"


class Client:
    """Scores and lints through one child process, ``codelinter stream``.

    The child is started when it is first needed. All threads and event loops of the
    process share it. A client can be pickled, and can be used in a forked process,
    where it starts a child of its own. If the child dies, another one is started and
    unanswered requests are sent again, three times at most.

    A client need not be closed. The child ends with the client, or with the process,
    even if the process is killed. :meth:`close` and ``with`` end it sooner.

    Args:
        verdict: ``"guarded"``, or ``"official"`` for the benchmark's own verdict alone.
        reward: ``"binary"``, 1.0 for a pass, otherwise 0.0; ``"shaped"``, from 0.0 to 1.0 (guarded only); or a
            function of a :class:`Score`, see :mod:`codelinter.rewards`. If the function raises, or returns no
            finite number, the completion has an :class:`Error` in place of a score.
        on_unknown: the reward of an answer if it cannot be decided whether the answer keeps the logic.
            ``"zero"``: 0.0. ``"mask"``: no reward; ``masked`` is set, and adapters leave the answer out of
            training. ``"official"``: the reward that the answer has if it keeps the logic.
        tasks: a file of tasks (JSONL, JSON or Parquet), or their rows. Calls name them by id. None is the open set.
        timeout: seconds that one request may take in the child. After that the call raises
            :class:`Error` and the child is killed. A batch is many requests, so it may take longer.
            The first reply of a child may take four times as long, because the child starts an interpreter.
        processors: how many cores the child uses at most (its GOMAXPROCS). None is all of them.
        binary: the path of the binary. None is the one that :func:`find_binary` finds.
        strict: whether adapters raise if a completion could not be scored. If False, that completion has no
            reward, the log says why, and the rest of the batch is scored.
        details: whether scores have ``code``, ``findings`` and ``changes``. They cost more than the numbers.
    """

    def __init__(
        self,
        verdict: Verdict = "guarded",
        reward: Reward = "binary",
        tasks: Tasks = None,
        timeout: float = 30.0,
        processors: Optional[int] = None,
        binary: Optional[str] = None,
        strict: bool = False,
        on_unknown: OnUnknown = "zero",
        details: bool = True,
    ) -> None:
        if verdict not in _VERDICTS:
            raise Error(f"verdict: expected one of {_VERDICTS}, found {verdict!r}")
        given: Any = _imported(reward) if isinstance(reward, str) and ":" in reward else reward
        if given not in _REWARDS and not callable(given):
            raise Error(f"reward: expected one of {_REWARDS} or a function of a score, found {reward!r}")
        if given == "shaped" and verdict == "official":
            raise Error("reward: the official verdict has none but 'binary', found 'shaped'")
        if on_unknown not in _ON_UNKNOWN:
            raise Error(f"on_unknown: expected one of {_ON_UNKNOWN}, found {on_unknown!r}")
        try:
            seconds = float(timeout)
        except (TypeError, ValueError):
            seconds = 0.0
        if not seconds > 0:
            raise Error(f"timeout: expected seconds above 0, found {timeout!r}")
        if processors is not None and (not hasattr(processors, "__index__") or processors < 1):
            raise Error(f"processors: expected an integer of 1 or more, found {processors!r}")
        self.verdict = verdict
        self.reward: Reward = cast("Reward", given)
        self.timeout = seconds
        self.processors = processors
        self.binary = binary
        self.strict = strict
        self.on_unknown = on_unknown
        self.details = details
        #: How many completions in a row adapters got no score for.
        self.failures = 0
        self.tasks_file: Optional[str] = None
        self._rows: Optional[Dict[str, bytes]] = None
        if isinstance(tasks, (str, os.PathLike)):
            self.tasks_file = os.fspath(tasks)
        elif tasks is not None:
            self._rows = _rows_of(tasks)
        self._open()

    def _open(self) -> None:
        self._session = Session(self._command, self.timeout)
        self._finalizer = weakref.finalize(self, self._session.close)

    def _command(self) -> Tuple[List[str], Dict[str, str]]:
        """The command line and environment of the child."""
        command = [self.binary or find_binary(), "stream"]
        if self.tasks_file is not None:
            command += ["--tasks", self.tasks_file]
        environment = dict(os.environ)
        if self.processors is not None:
            environment["GOMAXPROCS"] = str(self.processors)
        return command, environment

    def __getstate__(self) -> Dict[str, Any]:
        state = self.__dict__.copy()
        del state["_session"], state["_finalizer"]
        return state

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._open()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the child. Calls that wait in other threads raise :class:`Error`, and so do later calls."""
        self._finalizer()

    @property
    def pid(self) -> Optional[int]:
        """The child's process id; None while there is none."""
        return self._session.pid

    def score(self, completions: Sequence[str], tasks: Union[Task, Sequence[Task]] = None) -> List[Score]:
        """Returns the score of each completion, in their order.

        Args:
            completions: a model's answers, unchanged. The code is extracted from them.
            tasks: a task for each completion, or one for all of them.

        Raises:
            Error: a completion could not be scored. It never gets a made-up score.
        """
        return _raised(self.try_score(completions, tasks))

    async def ascore(self, completions: Sequence[str], tasks: Union[Task, Sequence[Task]] = None) -> List[Score]:
        """Is :meth:`score` for event loops. It never blocks them."""
        return _raised(await self.atry_score(completions, tasks))

    def try_score(
        self, completions: Sequence[Optional[str]], tasks: Union[Task, Sequence[Task]] = None
    ) -> List[Union[Score, Error]]:
        """Is :meth:`score` for batches in which one invalid completion or task must not fail the others.

        A completion that could not be scored has an :class:`Error` in place of its
        score. The call itself raises only if no child can be started, or if the numbers
        of tasks and completions differ.
        """
        return self._try(completions, tasks)

    def _try(
        self,
        completions: Sequence[Any],
        tasks: Union[Task, Sequence[Task]] = None,
        prompts: Optional[Sequence[str]] = None,
        details: Optional[bool] = None,
    ) -> List[Union[Score, Error]]:
        """Is :meth:`try_score` for completions that may begin with their prompts. An Error is its own score."""
        batch = self._submit(completions, tasks, prompts, details)
        try:
            return batch.scores([self._scores(counts, self._reply(line)) for counts, line in batch.lines])
        except BaseException:
            self._session.drop([line for _, line in batch.lines])
            raise

    def _reply(self, line: Line) -> Dict[str, Any]:
        """Waits for a reply. If the request itself failed, the error becomes the score of its completions."""
        try:
            return self._wait(line)
        except NoChildError:
            raise
        except Error as error:
            return {"error": str(error)}

    async def atry_score(
        self, completions: Sequence[Optional[str]], tasks: Union[Task, Sequence[Task]] = None
    ) -> List[Union[Score, Error]]:
        """Is :meth:`try_score` for event loops."""
        return await self._atry(completions, tasks)

    async def _atry(
        self,
        completions: Sequence[Any],
        tasks: Union[Task, Sequence[Task]] = None,
        details: Optional[bool] = None,
    ) -> List[Union[Score, Error]]:
        completions = _listed("completions", completions)
        small = sum(map(_length, completions)) < _LOOP_BYTES
        if small and self._session.running:
            batch = self._submit(completions, tasks, None, details)
        else:
            # To start a child takes milliseconds, and so does encoding a batch.
            batch = await _in_thread(self._submit, completions, tasks, None, details)
        try:
            replies: List[List[Union[Score, Error]]] = []
            for counts, line in batch.lines:
                try:
                    reply = await self._await(line)
                except NoChildError:
                    raise
                except Error as error:
                    reply = {"error": str(error)}
                replies.append(self._scores(counts, reply))
            return batch.scores(replies)
        except BaseException:
            self._session.drop([line for _, line in batch.lines])
            raise

    def lint(self, code: str, **options: Any) -> List[Finding]:
        """Returns what flake8 finds in code, in its order.

        Args:
            code: a program.
            options: flake8's, by their names with ``_`` for ``-``: ``max_line_length=100``, ``select=["E", "F"]``.
                Ours besides: ``flake8_version="7.3.0"``, ``target_version="3.14"``.

        Raises:
            Error: an option is invalid, or no child can be started.
        """
        return _findings(self._wait(self._session.submit(_lint_request(code, options))))

    def lint_many(self, codes: Sequence[str], **options: Any) -> List[List[Finding]]:
        """Is :meth:`lint` for many programs at once, on all cores of the child."""
        found: List[List[Finding]] = []
        for i, rows in enumerate(self._try_lint(codes, options)):
            if isinstance(rows, Error):
                raise Error(f"codes[{i}]: {rows}")
            found.append(list(findings_of(rows)))
        return found

    def _try_lint(self, codes: Sequence[Any], options: Dict[str, Any]) -> List[Union[List[Dict[str, Any]], Error]]:
        """Returns the findings in each program as the child writes them, or the Error of the program."""
        codes = _listed("codes", codes)
        rows: List[Union[List[Dict[str, Any]], Error]] = [_NOT_LINTED] * len(codes)
        lines: List[Tuple[List[int], Line]] = []
        batch: List[int] = []
        size = 0

        def send() -> None:
            if batch:
                lines.append((batch, self._session.submit(_lint_files({str(i): codes[i] for i in batch}, options))))

        for i, code in enumerate(codes):
            if not isinstance(code, str):
                rows[i] = Error(f"expected a text, found {type(code).__name__}")
                continue
            if batch and (size + len(code) > _LINE_BYTES or len(batch) == _LINE_COMPLETIONS):
                send()
                batch, size = [], 0
            batch.append(i)
            size += len(code)
        send()
        try:
            for places, line in lines:
                reply = self._reply(line)
                for i in places:
                    rows[i] = _rows_of_file(reply, str(i))
        except BaseException:
            self._session.drop([line for _, line in lines])
            raise
        return rows

    async def alint(self, code: str, **options: Any) -> List[Finding]:
        """Is :meth:`lint` for event loops."""
        request = _lint_request(code, options)
        if self._session.running:
            line = self._session.submit(request)
        else:
            line = await _in_thread(self._session.submit, request)
        try:
            return _findings(await self._await(line))
        except BaseException:
            self._session.drop([line])
            raise

    def _scores(self, counts: List[int], reply: Dict[str, Any]) -> List[Union[Score, Error]]:
        """Returns the scores in the reply to a line, with this client's rewards."""
        scores = _scores(counts, reply)
        if not isinstance(self.reward, str):
            reward = self.reward
            scores = [score if isinstance(score, Error) else _composed(reward, score) for score in scores]
        return scores

    def _submit(
        self,
        completions: Sequence[Any],
        tasks: Union[Task, Sequence[Task]],
        prompts: Optional[Sequence[str]] = None,
        details: Optional[bool] = None,
    ) -> _Batch:
        """Sends a batch. details=None stands for the client's own setting."""
        head = self._head(callable(self.reward) or (self.details if details is None else details))
        completions = _listed("completions", completions)
        batch = _Batch(len(completions), {}, [])
        items: List[bytes] = []
        counts: List[int] = []
        size = 0
        for group in self._grouped(completions, _each(tasks, len(completions)), prompts, batch.faults):
            item = group.item()
            if items and (size + len(item) > _LINE_BYTES or sum(counts) + len(group.texts) > _LINE_COMPLETIONS):
                batch.lines.append((counts, self._send(head, items)))
                items, counts, size = [], [], 0
            items.append(item)
            counts.append(len(group.texts))
            size += len(item)
        if items:
            batch.lines.append((counts, self._send(head, items)))
        return batch

    def _head(self, details: bool) -> bytes:
        """Returns the beginning of a request as JSON: all before the items."""
        settings: Dict[str, Any] = {
            "verdict": self.verdict,
            "reward": self.reward if isinstance(self.reward, str) else _ASKED[self.verdict],
            "on_unknown": self.on_unknown,
            "details": bool(details),
            "items": [],
        }
        return _json.dumps(settings)[:-2]

    def _send(self, head: bytes, items: List[bytes]) -> Line:
        return self._session.submit(head + b",".join(items) + b"]}")

    def _grouped(
        self,
        completions: Sequence[Any],
        tasks: Sequence[Task],
        prompts: Optional[Sequence[str]],
        faults: Dict[int, Error],
    ) -> List[_Group]:
        """Returns the completions in groups by task, and puts invalid ones into faults.

        Trainers sample many completions of one prompt. Their task is sent once.
        """
        groups: List[_Group] = []
        last: Any = groups  # which is no task
        size = 0
        for i, (task, completion) in enumerate(zip(tasks, completions)):
            if not isinstance(completion, str):
                known = isinstance(completion, Error)
                faults[i] = completion if known else Error(f"expected a text, found {type(completion).__name__}")
                continue
            prompt = None if prompts is None else prompts[i]
            if prompts is not None and not isinstance(prompt, str):
                faults[i] = Error(f"prompts[{i}]: expected a text, found {type(prompt).__name__}")
                continue
            size += len(completion)
            small = groups and len(groups[-1].texts) < _LINE_COMPLETIONS and size <= _LINE_BYTES
            if small and prompt == groups[-1].prompt and (task is last or _same(task, last)):
                groups[-1].texts.append(completion)
                continue
            try:
                field, value = self._named(task)
            except Error as error:
                faults[i] = Error(f"tasks[{i}]: {error}")
                continue
            groups.append(_Group(field, value, prompt, [completion[:_TEXT_LENGTH]]))
            last = task
            size = len(completion)
        return groups

    def _named(self, task: Task) -> Tuple[bytes, bytes]:
        """Returns the request's field that names the task, and its value. Both are empty if there is no task."""
        if task is None:
            return b"", b""
        if isinstance(task, Mapping):
            return b'"task"', _json.dumps(task if isinstance(task, dict) else dict(task))
        if isinstance(task, bool) or not isinstance(task, (str, int)):
            # an integer of numpy, say
            if not hasattr(task, "__index__") or isinstance(task, bool):
                raise Error(f"expected a dict, its JSON text, an id or None, found {type(task).__name__}")
            task = int(task)
        if isinstance(task, str) and task.lstrip()[:1] == "{":
            return b'"task"', _json.dumps(task)
        if self._rows is not None:
            row = self._rows.get(str(task))
            if row is None:
                raise Error(f"expected the id of one of {len(self._rows)} tasks, found {task!r:.80}")
            return b'"task"', row
        return b'"task_id"', _json.dumps(task)

    def _wait(self, line: Line) -> Dict[str, Any]:
        while True:
            until = time.monotonic() + (patience := self._session.patience(line))
            try:
                return line.future.result(patience)
            except concurrent.futures.TimeoutError:
                # A signal handler, such as verl's compute_score_timeout, may have raised it. Then it is the caller's.
                if not line.future.done() and time.monotonic() < until - _EARLY:
                    raise
                self._session.overdue(line)

    async def _await(self, line: Line) -> Dict[str, Any]:
        future = asyncio.wrap_future(line.future)
        while True:
            done, _ = await asyncio.wait([future], timeout=self._session.patience(line))
            if done:
                return future.result()
            self._session.overdue(line)


def _each(tasks: Union[Task, Sequence[Task]], count: int) -> Sequence[Task]:
    """Returns a task for each completion."""
    if tasks is None or isinstance(tasks, (str, int, Mapping)):
        return [tasks] * count
    each: Sequence[Task] = _listed("tasks", tasks)
    if len(each) != count:
        raise Error(f"tasks: expected {count}, one a completion, found {len(each)}")
    return each


def _length(text: object) -> int:
    return len(text) if isinstance(text, str) else 0


def _listed(what: str, values: Any) -> Sequence[Any]:
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


def _lint_request(code: str, options: Dict[str, Any]) -> bytes:
    if not isinstance(code, str):
        raise Error(f"code: expected a text, found {type(code).__name__}")
    named = {name.replace("_", "-"): value for name, value in options.items()}
    return _json.dumps({"lint": {"code": code, "options": named}})


def _lint_files(files: Dict[str, str], options: Dict[str, Any]) -> bytes:
    named = {name.replace("_", "-"): value for name, value in options.items()}
    texts = {name: code[:_TEXT_LENGTH] for name, code in files.items()}
    return _json.dumps({"lint": {"files": texts, "options": named}})


def _rows_of_file(reply: Dict[str, Any], name: str) -> Union[List[Dict[str, Any]], Error]:
    """Returns the findings in one file of a reply."""
    if reply.get("error"):
        return Error(str(reply["error"]))
    try:
        rows: List[Dict[str, Any]] = reply["files"][name]
        return Error(str(reply["errors"][name])) if reply["errors"][name] else rows
    except (KeyError, TypeError) as error:
        raise Error(f"expected findings, found a reply of another kind: {error!r}") from None


def _findings(reply: Dict[str, Any]) -> List[Finding]:
    if reply.get("error"):
        raise Error(str(reply["error"]))
    try:
        return list(findings_of(reply["findings"]))
    except (KeyError, TypeError) as error:
        raise Error(f"expected findings, found a reply of another kind: {error!r}") from None


def _scores(counts: List[int], reply: Dict[str, Any]) -> List[Union[Score, Error]]:
    """Returns the scores in the reply to a line. Each number is that of an item's completions."""
    if reply.get("error"):
        return [Error(str(reply["error"]))] * sum(counts)
    scores: List[Union[Score, Error]] = []
    try:
        if len(reply["scores"]) != len(counts):
            raise Error(f"expected scores of {len(counts)} items, found {len(reply['scores'])}")
        for count, item in zip(counts, reply["scores"]):
            of_item = [Error(score["error"]) if score["error"] else Score(score) for score in item]
            if len(of_item) == 1 and isinstance(of_item[0], Error):
                of_item *= count  # an item that makes no sense has one score, whatever it asked for
            if len(of_item) != count:
                raise Error(f"expected {count} scores, found {len(of_item)}")
            scores += of_item
    except (KeyError, TypeError) as error:
        raise Error(f"expected scores, found a reply of another kind: {error!r}") from None
    return scores


def _imported(name: str) -> Any:
    """Returns the object that ``"module:name"`` names."""
    module, _, attribute = name.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise Error(f"reward: expected the name of a function, found {name!r}: {error}") from None


def _composed(reward: Callable[[Score], float], score: Score) -> Union[Score, Error]:
    """Returns a score with the reward of a function, or an Error if the function gives no reward."""
    terms: Optional[Dict[str, float]] = None
    try:
        if isinstance(reward, Sum):
            # One that is masked has the terms' names too: trainers take the keys of a batch from its first sample.
            terms = {term.name: 0.0 for term in reward.terms}
            if not score.masked:
                terms = {name: float(value) for name, value in reward.values(score).items()}
            total = 0.0 if score.masked else reward.total(terms)
        else:
            total = 0.0 if score.masked else float(reward(score))
        if not all(map(math.isfinite, [total, *(terms or {}).values()])):
            return Error(f"reward: expected a finite number, found {total}, of {terms or 'a function'}")
    except Exception as error:  # whatever the caller's function does
        return Error(f"reward: {type(error).__name__}: {error}")
    return Score(score._reply, total, terms)


def _raised(scores: List[Union[Score, Error]]) -> List[Score]:
    """Returns the scores, or raises the first Error among them."""
    good = [score for score in scores if isinstance(score, Score)]
    if len(good) != len(scores):
        bad = [(i, score) for i, score in enumerate(scores) if isinstance(score, Error)]
        more = f" (and {len(bad) - 1} more of {len(scores)})" if len(bad) > 1 else ""
        raise Error(f"completions[{bad[0][0]}]: {bad[0][1]}{more}")
    return good


async def _in_thread(function: Any, *args: Any) -> Any:
    """Is asyncio.to_thread on the loop's own threads; asyncio has it since Python 3.9."""
    return await asyncio.get_running_loop().run_in_executor(None, lambda: function(*args))


#: Clients by their settings. The settings are kept too, so that no other list can get the identity that is in a key.
_defaults: Dict[Tuple[Tuple[str, Any], ...], Tuple[Client, Dict[str, Any]]] = {}
_defaults_lock = threading.Lock()


def default_client(**given: Unpack[Settings]) -> Client:
    """Returns the process's client with these settings of :class:`Client`. The adapters share it.

    Missing settings are taken from the environment: ``CODELINTER_VERDICT``,
    ``CODELINTER_REWARD``, ``CODELINTER_TASKS``, ``CODELINTER_TIMEOUT``,
    ``CODELINTER_ON_UNKNOWN`` and ``CODELINTER_STRICT``, which is ``1`` or ``0``. So a reward that a
    framework finds by name alone can have settings too.
    """
    settings: Dict[str, Any] = dict(given)
    for name, convert in (
        ("verdict", str),
        ("reward", str),
        ("tasks", str),
        ("timeout", float),
        ("strict", _switch),
        ("on_unknown", str),
    ):
        value = os.environ.get(f"CODELINTER_{name.upper()}")
        if value and settings.get(name) is None:
            try:
                settings[name] = convert(value)
            except ValueError:
                expected = "1 or 0" if convert is _switch else "a number"
                raise Error(f"CODELINTER_{name.upper()}: expected {expected}, found {value!r}") from None
    settings = {name: value for name, value in settings.items() if value is not None}
    key = tuple((name, _identity(settings[name])) for name in sorted(settings))
    with _defaults_lock:
        found = _defaults.get(key)
        if found is None:
            found = _defaults[key] = (Client(**settings), settings)
        return found[0]


def _switch(text: str) -> bool:
    if text not in ("0", "1"):
        raise ValueError(text)
    return text == "1"


def lint(code: str, **options: Any) -> List[Finding]:
    """Is :meth:`Client.lint` of the process's client."""
    return default_client().lint(code, **options)


def score(
    completions: Sequence[str], tasks: Union[Task, Sequence[Task]] = None, **settings: Unpack[_OpenSetSettings]
) -> List[Score]:
    """Is :meth:`Client.score` of the process's client with these settings of :class:`Client`."""
    return default_client(**settings).score(completions, tasks)


def _identity(setting: Any) -> Any:
    """Returns a key for a setting: the setting itself, or the identity of a list of tasks."""
    if isinstance(setting, (str, int, float)):
        return setting
    return (
        os.fspath(cast("os.PathLike[str]", setting))
        if isinstance(setting, os.PathLike)
        else (type(setting), id(setting))
    )


def _after_fork() -> None:
    """Makes a new lock in a forked process: a thread that does not exist there may have held the old one."""
    global _defaults_lock
    _defaults_lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
