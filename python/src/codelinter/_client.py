"""The client: completions in, scores out."""

from __future__ import annotations

import asyncio
import functools
import math
import os
import threading
import warnings
import weakref
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, Tuple, TypeVar, Union

from . import _requests, _settings
from ._binary import find_binary
from ._error import Error
from ._requests import KnownTasks, Linted, Request, Scored
from ._score import Edit, Finding, Score
from ._session import Call, Session, shared_session
from ._settings import NO_TASK, OnUnknown, OpenSetSettings, Plugins, Reward, Settings, Task, Tasks, Verdict
from .rewards import Sum

if TYPE_CHECKING:
    from typing_extensions import Unpack

_T = TypeVar("_T")

#: A batch of this many bytes or more is encoded on another thread, so that it does not block the event loop.
_LOOP_BYTES = 1 << 16


class Client:
    """Scores and lints through one child process, ``codelinter stream``.

    The child is started when it is first needed. All threads and event loops of the
    process share it. A client can be pickled, and can be used in a forked process,
    where it starts a child of its own. If the child dies, another one is started and
    unanswered requests are sent again, three times at most.

    A client need not be closed. The child ends with the client, or with the process,
    even if the process is killed. :meth:`close` and ``with`` end it sooner. Clients of
    :func:`default_client` share a child.

    Args:
        verdict: ``"guarded"``, or ``"official"`` for the benchmark's own verdict alone.
        reward: ``"binary"``, 1.0 for a pass, otherwise 0.0; ``"shaped"``, from 0.0 to 1.0 (guarded only);
            a formula such as ``"graded*meaning"``; or a function of a :class:`Score`. See :mod:`codelinter.rewards`.
            If the function raises, or returns no finite number, the completion has an :class:`Error` instead.
        on_unknown: the reward of an answer if it cannot be decided whether the answer keeps the logic.
            ``"zero"``: 0.0. ``"mask"``: no reward; ``masked`` is set, and adapters leave the answer out of
            training. ``"official"``: the reward that the answer has if it keeps the logic.
        tasks: a file of tasks (JSONL, JSON or Parquet), or their rows. Calls name them by id. None is the open set.
            ``NO_TASK``, in a configuration ``"none"``, says that there are no tasks: then None stands for no task.
        timeout: seconds that one request may take in the child. After that the call raises
            :class:`Error` and the child is killed. A batch is many requests, so it may take longer.
            The first reply of a child may take four times as long, because the child starts an interpreter.
        processors: how many cores the child uses at most (its GOMAXPROCS). None is all of them.
        binary: the path of the binary. None is the one that :func:`find_binary` finds.
        strict: whether adapters raise if a completion could not be scored. If False, that completion has no
            reward, the log says why, and the rest of the batch is scored.
        plugins: folders of flake8 plugins, as wheels or as installed packages, which tasks may name in their options.
            A task whose plugins are not there is an error.
        details: whether scores have ``code``, ``findings`` and ``changes``. They cost more than the numbers.
    """

    _shared = False

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
        plugins: Plugins = None,
    ) -> None:
        _settings.one_of("verdict", _settings.VERDICTS, verdict)
        _settings.one_of("on_unknown", _settings.ON_UNKNOWN, on_unknown)
        if processors is not None and (not hasattr(processors, "__index__") or processors < 1):
            raise Error(f"processors: expected an integer of 1 or more, found {processors!r}")
        self.verdict = verdict
        self.reward = _settings.reward_of_setting(reward, verdict)
        #: The names of the reward's terms, under which scores have them.
        self.terms = _settings.terms_of(self.reward)
        self.timeout = _settings.seconds_of(timeout)
        self.processors = processors
        self.binary = binary
        self.strict = strict
        self.on_unknown: OnUnknown = on_unknown
        self.details = details
        self.plugins = _settings.folders_of(plugins)
        self.tasks = KnownTasks(tasks)
        if isinstance(self.reward, Sum) and verdict == "official" and (problem := self.reward.pays_silence(False)):
            warnings.warn(f"reward: by the official verdict {problem}", stacklevel=2)
        self._open()

    def _open(self) -> None:
        # Not a method: the session would keep the client, with which it ends.
        started = (self.binary, self.tasks.file, self.processors, self.plugins)
        command = functools.partial(_command, *started)
        if self._shared:
            self._session = shared_session((*started, *map(os.environ.get, _READ)), command)
            self._finalizer: Callable[[], Any] = self._session.stop
        else:
            self._session = Session(command)
            self._finalizer = weakref.finalize(self, self._session.close)

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
        """Ends the child. Calls that wait in other threads raise :class:`Error`, and so do later calls.

        Of a client of :func:`default_client` others may use the child: its next call starts another.
        """
        self._finalizer()

    @property
    def pid(self) -> Optional[int]:
        """The child's process id; None while there is none."""
        return self._session.pid

    def score(self, completions: Sequence[str], tasks: Union[Task, Sequence[Task]] = NO_TASK) -> List[Score]:
        """Returns the score of each completion, in their order.

        Args:
            completions: a model's answers, unchanged. The code is extracted from them.
            tasks: a task for each completion, or one for all of them. None is no task, and an error:
                a row without its task must not pass with any clean program.

        Raises:
            Error: a completion could not be scored. It never gets a made-up score.
        """
        return _raised("completions", self.try_score(completions, tasks))

    async def ascore(self, completions: Sequence[str], tasks: Union[Task, Sequence[Task]] = NO_TASK) -> List[Score]:
        """Is :meth:`score` for event loops. It never blocks them."""
        return _raised("completions", await self.atry_score(completions, tasks))

    def try_score(
        self,
        completions: Sequence[Union[str, Error, None]],
        tasks: Union[Task, Sequence[Task]] = NO_TASK,
        prompts: Optional[Sequence[str]] = None,
        details: Optional[bool] = None,
    ) -> List[Scored]:
        """Is :meth:`score` for batches in which one invalid completion or task must not fail the others.

        A completion that could not be scored has an :class:`Error` in place of its
        score. The call itself raises only if no child can be started, or if the numbers
        of tasks and completions differ.

        Args:
            completions: a model's answers. An :class:`Error` among them is its own score.
            tasks: as for :meth:`score`.
            prompts: with which each completion begins, if a framework has both in one text. The answer is the rest.
            details: overrides the client's setting.
        """
        return self._rewarded(self._done(self._scores(completions, tasks, prompts, details)))

    async def atry_score(
        self,
        completions: Sequence[Union[str, Error, None]],
        tasks: Union[Task, Sequence[Task]] = NO_TASK,
        prompts: Optional[Sequence[str]] = None,
        details: Optional[bool] = None,
    ) -> List[Scored]:
        """Is :meth:`try_score` for event loops."""
        completions = _requests.listed("completions", completions)
        small = sum(len(text) for text in completions if isinstance(text, str)) < _LOOP_BYTES
        return self._rewarded(await self._adone(small, self._scores, completions, tasks, prompts, details))

    def lint(self, code: str, **options: Any) -> List[Finding]:
        """Returns what flake8 finds in code, in its order.

        Args:
            code: a program.
            options: flake8's, by their names with ``_`` for ``-``: ``max_line_length=100``, ``select=["E", "F"]``.
                Ours besides: ``flake8_version="7.3.0"``, ``target_version="3.14"``.

        Raises:
            Error: an option is invalid, or no child can be started.
        """
        return self._done(_requests.program(code, options))

    async def alint(self, code: str, **options: Any) -> List[Finding]:
        """Is :meth:`lint` for event loops."""
        return await self._adone(len(code) < _LOOP_BYTES, _requests.program, code, options)

    def check_edit(self, before: str, after: str, *, name: str = "", run: bool = True, **options: Any) -> Edit:
        """Returns what an edit changes: new findings, findings that are gone, and whether the program is the same.

        Args:
            before: the old text of a file.
            after: the new one.
            name: the file's, on which a few findings depend.
            run: run what the texts leave open. Without it the answer takes some 0.05 ms for each kilobyte.
            options: flake8's, as for :meth:`lint`.

        Raises:
            Error: an option is invalid, the texts are too large, or no child can be started.
        """
        return self._done(_requests.edit(before, after, name, run, options))

    def lint_many(self, codes: Sequence[str], **options: Any) -> List[List[Finding]]:
        """Is :meth:`lint` for many programs at once, on all cores of the child."""
        return _raised("codes", self.try_lint(codes, **options))

    def try_lint(self, codes: Sequence[Any], **options: Any) -> List[Linted]:
        """Is :meth:`lint_many`, with an :class:`Error` in place of the findings of what could not be linted."""
        return self._done(_requests.programs(codes, options))

    def _scores(
        self,
        completions: Sequence[Any],
        tasks: Union[Task, Sequence[Task]],
        prompts: Optional[Sequence[str]],
        details: Optional[bool],
    ) -> Request[List[Scored]]:
        """Returns a request for scores. details=None stands for the client's own setting, and a function needs them."""
        told = isinstance(self.reward, str)
        settings: Dict[str, Any] = {
            "verdict": self.verdict,
            "reward": self.reward if told else self._facts(),
            "on_unknown": self.on_unknown if told else "zero",
            "details": not told or bool(self.details if details is None else details),
        }
        return _requests.scores(settings, completions, tasks, prompts, self.tasks)

    def _facts(self) -> str:
        """Returns the reward for which the child finds out what a function may ask."""
        if self.verdict == "official":
            return "binary"
        tests = isinstance(self.reward, Sum) and any(term.tests for term in self.reward.terms)
        return "meaning+tests" if tests else "meaning"

    def _rewarded(self, scores: List[Scored]) -> List[Scored]:
        """Returns scores with this client's rewards."""
        if isinstance(self.reward, str):
            return scores
        reward = self.reward
        return [score if isinstance(score, Error) else _composed(reward, score, self.on_unknown) for score in scores]

    def _done(self, request: Request[_T]) -> _T:
        """Sends a request and returns what came of it."""
        session = self._session
        call = session.call(request.lines, self.timeout)
        try:
            # Not by future.result: so a TimeoutError is that of a handler of signals, such as verl's, and the caller's.
            done = threading.Lock()
            done.acquire()
            call.future.add_done_callback(lambda _: done.release())
            while not done.acquire(timeout=session.patience(call)):
                session.overdue(call)
        except BaseException:
            session.drop(call)
            raise
        return request.read(call.future.result())

    async def _adone(self, quick: bool, of: Callable[..., Request[_T]], *arguments: Any) -> _T:
        """Is :meth:`_done` for event loops, of the request that a function returns."""
        session = self._session

        def send() -> Tuple[Request[_T], Call]:
            request = of(*arguments)
            return request, session.call(request.lines, self.timeout)

        # To start a child takes milliseconds, and so does encoding a batch.
        quick = quick and session.running
        request, call = send() if quick else await asyncio.get_running_loop().run_in_executor(None, send)
        future = asyncio.wrap_future(call.future)
        try:
            while not (await asyncio.wait([future], timeout=session.patience(call)))[0]:
                session.overdue(call)
        except BaseException:
            session.drop(call)
            raise
        return request.read(future.result())


def _command(
    binary: Optional[str], tasks: Optional[str], processors: Optional[int], plugins: Sequence[str]
) -> Tuple[List[str], Dict[str, str]]:
    """The command line and environment of a child."""
    command = [binary or find_binary(), "stream"]
    if tasks is not None:
        command += ["--tasks", tasks]
    for folder in plugins:
        command += ["--plugins", folder]
    environment = dict(os.environ)
    if processors is not None:
        environment["GOMAXPROCS"] = str(processors)
    return command, environment


class _SharedClient(Client):
    """A client of :func:`default_client`."""

    _shared = True


def _composed(reward: Callable[[Score], float], score: Score, on_unknown: OnUnknown) -> Scored:
    """Returns a score with the reward of a function, or an Error if the function gives no reward.

    If something is unknown of the answer, ``on_unknown`` decides. An answer whose reward does not
    depend on it is not masked.
    """
    try:
        total, terms = _value_of(reward, score)
        masked = False
        if on_unknown != "zero" and "unknown" in (score.guarded, score.logic, score.tests):
            most, of_most = _value_of(reward, score.if_kept())
            if on_unknown == "official":
                total, terms = most, of_most
            elif most != total:
                # One that is masked has the terms' names too: trainers take the keys of a batch from its first sample.
                total, terms, masked = 0.0, dict.fromkeys(terms, 0.0), True
    except Exception as error:  # whatever the caller's function does
        return Error(f"reward: {type(error).__name__}: {error}")
    if not all(map(math.isfinite, [total, *terms.values()])):
        return Error(f"reward: expected a finite number, found {total}, of {terms or 'a function'}")
    return score.with_reward(total, terms, masked)


def _value_of(reward: Callable[[Score], float], score: Score) -> Tuple[float, Dict[str, float]]:
    """Returns the reward of a function, with its terms if it is a Sum."""
    if not isinstance(reward, Sum):
        return float(reward(score)), {}
    terms = reward.values(score)
    return reward.total(terms), terms


def _raised(what: str, values: Sequence[Union[_T, Error]]) -> List[_T]:
    """Returns the values, or raises the first Error among them."""
    bad = [(i, value) for i, value in enumerate(values) if isinstance(value, Error)]
    if bad:
        more = f" (and {len(bad) - 1} more of {len(values)})" if len(bad) > 1 else ""
        raise Error(f"{what}[{bad[0][0]}]: {bad[0][1]}{more}")
    return [value for value in values if not isinstance(value, Error)]


#: What the environment tells a child that is no setting of a client.
_READ = ("CODELINTER_BINARY", "CODELINTER_SEED")

#: Clients by their settings. The settings are kept too, so that no other list can get the identity that is in a key.
_defaults: Dict[Tuple[Tuple[str, Any], ...], Tuple[Client, Dict[str, Any]]] = {}
_defaults_lock = threading.Lock()


def default_client(**given: Unpack[Settings]) -> Client:
    """Returns the process's client with these settings of :class:`Client`. The adapters use it.

    Clients that differ in no more than verdict, reward, ``on_unknown``, time-out and the like
    share one child. Missing settings are taken from the environment: ``CODELINTER_VERDICT``,
    ``CODELINTER_REWARD``, ``CODELINTER_TASKS``, ``CODELINTER_TIMEOUT``,
    ``CODELINTER_ON_UNKNOWN``, ``CODELINTER_PLUGINS`` (folders, separated as in ``PATH``) and
    ``CODELINTER_STRICT``, which is ``1`` or ``0``. So a reward that a
    framework finds by name alone can have settings too.
    """
    settings = _settings.with_environment(**given)
    key = _settings.key_of(settings)
    with _defaults_lock:
        found = _defaults.get(key)
        if found is None:
            found = _defaults[key] = (_SharedClient(**settings), settings)
        return found[0]


def lint(code: str, **options: Any) -> List[Finding]:
    """Is :meth:`Client.lint` of the process's client."""
    return default_client().lint(code, **options)


def check_edit(before: str, after: str, *, name: str = "", run: bool = True, **options: Any) -> Edit:
    """Is :meth:`Client.check_edit` of the process's client."""
    return default_client().check_edit(before, after, name=name, run=run, **options)


def score(
    completions: Sequence[str], tasks: Union[Task, Sequence[Task]] = NO_TASK, **settings: Unpack[OpenSetSettings]
) -> List[Score]:
    """Is :meth:`Client.score` of the process's client with these settings of :class:`Client`."""
    return default_client(**settings).score(completions, tasks)


def _after_fork() -> None:
    """Makes a new lock in a forked process: a thread that does not exist there may have held the old one."""
    global _defaults_lock
    _defaults_lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
