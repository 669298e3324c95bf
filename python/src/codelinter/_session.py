"""The child process that answers lines: starting it, waiting for it, ending it.

A :class:`Session` owns at most one child, ``codelinter stream``. It gives each line
an id, which leads the reply back to its call. A child has three threads:

* The *writer* writes lines into its standard input, so no caller waits for the pipe. A
  caller writes what an empty pipe takes at once, as a change of threads costs more.
* The *reader* waits for replies, decodes them and hands them to the calls. When the
  child ends, it starts another child and sends the unanswered lines again.
* The *listener* keeps the end of its standard error, to explain its death.

A child lives no longer than this process. It ends at the end of its standard input,
and only this process holds the other end of that pipe. Popen closes the pipe on exec,
and a forked process closes its copy before anything else runs there.

One lock guards all shared state. It is never held during a wait.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import math
import os
import subprocess
import threading
import time
import weakref
from concurrent.futures import Future
from queue import SimpleQueue
from typing import IO, Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, cast

from . import _json
from ._error import Error

#: How often a line is sent again when the child that has it dies.
RESENDS = 3

#: The longest line that the child reads, in bytes, and what an id adds to a request at most.
_LINE_LENGTH = (64 << 20) - 64

#: The longest that anything waits before it looks again, in seconds: threads cannot wait for ever longer times.
_LOOK = 3600.0

#: How many times longer than others the first reply of a child may take, or what it says takes long: an interpreter
#: has to be started, on a machine that has never run it even compiled, and at the start of a training everything else
#: starts too.
_FIRST = 4

#: How many of the oldest lines a child's death is laid to; the others it had not begun.
_SUSPECTS = 16

#: How much of what a child says on standard error is kept, in bytes.
_STDERR_KEPT = 4096

#: How long a child may take to end once its standard input has, in seconds.
_GRACE = 2.0

#: How the last line on standard error of a child with an invalid setting begins.
_REFUSES = "codelinter stream: error: "

#: Returns the command line and the environment of a child.
Command = Callable[[], Tuple[List[str], Dict[str, str]]]

#: A reply, as the child writes it. One with an "error" says why there is no other.
Reply = Mapping[str, Any]


class Line:
    """A request that is sent to the child, and its reply."""

    __slots__ = ("allowed", "children", "reply", "sent", "text", "timeout")

    def __init__(self, text: bytes, timeout: float) -> None:
        self.text = text
        #: How many seconds one request may take in the child.
        self.timeout = timeout
        self.reply: Optional[Reply] = None
        #: How many children died that may have been working on it.
        self.children = 0
        #: When it was sent last, by time.monotonic(), and how many seconds its reply may take at the most.
        self.sent = 0.0
        self.allowed = 0.0


class Call:
    """Lines that are sent together. ``future`` has their replies when all are there, or an Error without a child.

    :meth:`answer` is called under the session's lock.
    """

    def __init__(self, lines: List[Line]) -> None:
        self.lines = lines
        self.future: Future[List[Reply]] = Future()
        self._missing = len(lines)
        if not lines:
            self.future.set_result([])

    def answer(self, line: Line, reply: Reply) -> None:
        line.reply = reply
        self._missing -= 1
        if not self._missing:
            with contextlib.suppress(Exception):  # who waited may have been cancelled
                self.future.set_result([line.reply or {} for line in self.lines])

    def fail(self, problem: Error) -> None:
        with contextlib.suppress(Exception):
            self.future.set_exception(problem)


class _Child:
    """A process, its pipes, its writer and its listener."""

    def __init__(self, command: List[str], environment: Dict[str, str]) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            # Raw files: a buffer has a lock, and a process that is forked off would inherit it locked.
            bufsize=0,
        )
        assert self.process.stdin is not None and self.process.stdout is not None and self.process.stderr is not None
        self.stdin: IO[bytes] = self.process.stdin
        self.stdout: IO[bytes] = self.process.stdout
        self.stderr: IO[bytes] = self.process.stderr
        #: When it replied first, which is 0.0 as long as it has not, and last, which is its start.
        self.first_reply = 0.0
        self.last_reply = time.monotonic()
        #: When it last said something on standard error, as it does before it compiles an interpreter.
        self.told = -math.inf
        #: Why we killed it; "" if we did not.
        self.killed = ""
        self.said = b""
        #: How many lines it has been sent and has not answered. If there are none, the pipe is empty.
        self.unanswered = 0
        self._room = _room(self.stdin)
        #: What the writer writes; None ends it.
        self._texts: SimpleQueue[Optional[bytes]] = SimpleQueue()
        self._listener = threading.Thread(target=self._listen, name="codelinter-stderr", daemon=True)
        try:
            self._listener.start()
            threading.Thread(target=self._drain, name="codelinter-writer", daemon=True).start()
        except BaseException:
            self.process.kill()
            self.process.wait()
            raise

    def send(self, lines: Sequence[bytes]) -> None:
        """Writes lines, or has the writer do so. It is called under the session's lock."""
        text = b"".join(lines)
        empty, self.unanswered = not self.unanswered, self.unanswered + len(lines)
        if empty and len(text) <= self._room:
            self._write(text)
        else:
            self._texts.put(text)

    def _write(self, text: bytes) -> None:
        rest = memoryview(text)
        with contextlib.suppress(OSError, ValueError):  # it is dead, which the reader sees
            while rest:
                rest = rest[os.write(self.stdin.fileno(), rest) :]

    def _drain(self) -> None:
        """Is the writer."""
        for text in iter(self._texts.get, None):
            self._write(text)
        with contextlib.suppress(OSError):
            self.stdin.close()

    def _listen(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while piece := os.read(self.stderr.fileno(), 1 << 16):
                self.said = (self.said + piece)[-_STDERR_KEPT:]
                self.told = time.monotonic()

    def kill(self, why: str) -> None:
        if not self.killed:
            self.killed = why
            self.process.kill()

    def close(self) -> None:
        """Ends the child, which ends at the end of its standard input, and waits for it."""
        self._texts.put(None)
        try:
            self.process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def reap(self) -> str:
        """Is :meth:`close` of a process that has closed its standard output. Returns why it ended."""
        self.close()
        self._listener.join(_GRACE)
        for pipe in (self.stdout, self.stderr):
            with contextlib.suppress(OSError):
                pipe.close()
        code = self.process.returncode
        why = self.killed or (f"it was killed by signal {-code}" if code < 0 else f"it ended with exit code {code}")
        said = self.said.decode(errors="replace").strip()
        return f"{why}: {said}" if said else why

    def refusal(self) -> str:
        """Why the process, which was reaped, refused to start: a setting is invalid. "" if it did not refuse."""
        said = self.said.decode(errors="replace").strip().rpartition("\n")[2]
        refused = not self.first_reply and not self.killed and said.startswith(_REFUSES)
        return said[len(_REFUSES) :] if refused else ""

    def abandon(self) -> None:
        """Closes the copies of the parent's pipes to its child, in a forked process."""
        for pipe in (self.stdin, self.stdout, self.stderr):
            with contextlib.suppress(OSError):
                pipe.close()
        # It is not ours to wait for.
        self.process.returncode = 0


def _room(pipe: IO[bytes]) -> int:
    """Returns how many bytes an empty pipe takes at once."""
    try:
        import fcntl

        return fcntl.fcntl(pipe, 1032)  # Linux' F_GETPIPE_SZ
    except (ImportError, OSError):
        return 512  # POSIX' least


class Session:
    """Lines in, replies out, over one child at a time. See the module's docstring."""

    def __init__(self, command: Command) -> None:
        self._command = command
        self._reset()
        _sessions.add(self)

    def _reset(self) -> None:
        # Reentrant, as the garbage collector may end a client, and so its session, wherever memory is taken.
        self._lock = threading.RLock()
        self._ids = itertools.count(1)
        #: Sent or to be sent, in the order in which they were asked.
        self._pending: Dict[int, Tuple[Line, Call]] = {}
        self._child: Optional[_Child] = None
        self._starting = False
        self._closed = False

    @property
    def running(self) -> bool:
        """Whether there is a child. If so, a call starts none."""
        return self._child is not None or self._starting

    @property
    def pid(self) -> Optional[int]:
        """The child's process id, None if there is none now."""
        child = self._child
        return None if child is None else child.process.pid

    def call(self, texts: Sequence[bytes], timeout: float) -> Call:
        """Sends requests, JSON objects without "id" and newline. It starts a child if there is none, and never waits.

        Raises:
            Error: the client is closed.
        """
        call = Call([Line(text, timeout) for text in texts])
        with self._lock:
            if self._closed:
                raise Error("the client is closed")
            sent = [line for line in call.lines if self._take(line, call)]
            if self._child is not None:
                self._send(self._child, sent)
                return call
            if self._starting or not sent:
                return call
            self._starting = True
        self._start()
        return call

    def _take(self, line: Line, call: Call) -> bool:
        """Gives a line its id; or an error, if it is longer than the child reads."""
        if len(line.text) > _LINE_LENGTH:
            problem = f"expected a request of {_LINE_LENGTH} bytes at most, found one of {len(line.text)}"
            call.answer(line, {"error": problem})
            return False
        number = next(self._ids)
        line.text = b'{"id":%d,%s\n' % (number, line.text[1:])
        self._pending[number] = line, call
        return True

    def _send(self, child: _Child, lines: Sequence[Line]) -> None:
        now = time.monotonic()
        for line in lines:
            line.sent = now
            # The child takes lines in order, and each has the time there is for one.
            line.allowed = line.timeout * (1 + len(self._pending))
        child.send([line.text for line in lines])

    def _start(self) -> None:
        """Starts a child and sends it the pending lines. The caller has set _starting.

        If no child can be started, the pending calls fail: for want of a binary, a process, memory
        or a thread, or because the caller was interrupted.
        """
        child = None
        try:
            child = _Child(*self._command())
            reader = threading.Thread(target=self._read, args=(child,), name="codelinter-reader", daemon=True)
            with self._lock:
                self._starting = False
                if not self._closed:
                    self._child = child
                    self._send(child, [line for line, _ in self._pending.values()])
            if self._closed:
                child.close()
            reader.start()
        except BaseException as error:
            problem = error if isinstance(error, Error) else Error(f"cannot start the child: {error}")
            with self._lock:
                self._starting = False
                self._child = None
                calls, self._pending = [call for _, call in self._pending.values()], {}
            for call in calls:
                call.fail(problem)
            if child is not None:
                child.kill(str(problem))
                child.close()
            if not isinstance(error, Exception):
                raise

    def _read(self, child: _Child) -> None:
        """Is the reader of one child: it ends with the child, or starts the next and its reader."""
        try:
            with io.BufferedReader(cast("io.RawIOBase", child.stdout), 1 << 18) as replies:
                for text in replies:
                    # A line without an end is of a child that died while it wrote.
                    if not text.endswith(b"\n") or not self._answer(child, text):
                        break
        except (OSError, ValueError):
            pass  # the pipe was closed
        except Exception as error:  # there was no memory for a reply, say: without a reader nothing is ever answered
            child.kill(f"cannot read its replies: {error!r}")
        self._buried(child, child.reap())

    def _answer(self, child: _Child, text: bytes) -> bool:
        """Hands a reply to its call. Kills a child that writes anything else, and reports that by False."""
        try:
            reply = _json.loads(text)
            number = int(reply["id"])
        except (ValueError, KeyError, TypeError):
            found = text[:200].decode(errors="replace").rstrip()
            child.kill(f"expected replies with ids of ours, found {found!r}")
            return False
        child.last_reply = time.monotonic()
        child.first_reply = child.first_reply or child.last_reply
        with self._lock:
            child.unanswered -= 1
            if waiting := self._pending.pop(number, None):
                line, call = waiting
                call.answer(line, reply)
        return True

    def _buried(self, child: _Child, why: str) -> None:
        """Gives up the lines that a dead child's death is laid to too often, and starts a child for the others."""
        refusal = child.refusal()
        with self._lock:
            if self._child is child:
                self._child = None
            for line, _ in itertools.islice(self._pending.values(), _SUSPECTS):
                line.children += 1
            none_will_be = self._closed or bool(refusal)
            lost = [n for n, (line, _) in self._pending.items() if none_will_be or line.children > RESENDS]
            lines = [self._pending.pop(n) for n in lost]
            for line, call in lines:
                if none_will_be:
                    call.fail(Error(refusal or "the client was closed"))
                else:
                    call.answer(line, {"error": f"the child died {RESENDS + 1} times on a request: {why}"})
            restart = bool(self._pending) and not self.running
            self._starting = self._starting or restart
        if restart:
            self._start()

    def patience(self, call: Call) -> float:
        """Returns the seconds to wait for a call before :meth:`overdue` is asked again."""
        with self._lock:
            child, line = self._child, _first_open(call)
            if child is None or line is None or not line.sent:
                return 0.0 if line is None else min(line.timeout, _LOOK)
            return min(max(0.01, self._due(child, line) - time.monotonic()), _LOOK)

    def _due(self, child: _Child, line: Line) -> float:
        """The time at which a line is given up: the child was silent for that long, or other lines overtook it.

        The first answer that needs the sandbox may come long after the first reply. A child that is killed
        while it compiles the interpreter leaves the whole compilation to the next one.
        """
        if not child.first_reply:
            return max(line.sent, child.last_reply) + line.timeout * _FIRST
        due = min(max(line.sent, child.first_reply) + line.allowed, max(line.sent, child.last_reply) + line.timeout)
        return max(due, child.told + line.timeout * _FIRST)

    def overdue(self, call: Call) -> None:
        """If a line of a call is overdue, gives it up and kills the child. The others are sent to the next child."""
        with self._lock:
            child, line = self._child, _first_open(call)
            now = time.monotonic()
            if child is None or line is None or now < self._due(child, line):
                return
            seconds = line.timeout
            if not child.first_reply or now < child.told + seconds * (_FIRST + 1):
                seconds *= _FIRST
            self._forget(lambda pending, _: pending is line)
            child.kill(f"it did not answer for {seconds:g} s")
            call.answer(line, {"error": f"the child did not answer within {seconds:g} s, and was killed"})

    def drop(self, call: Call) -> None:
        """Forgets the lines of a call that nobody waits for any more."""
        with self._lock:
            self._forget(lambda _, of: of is call)

    def _forget(self, is_gone: Callable[[Line, Call], bool]) -> None:
        self._pending = {n: (line, call) for n, (line, call) in self._pending.items() if not is_gone(line, call)}

    def close(self) -> None:
        """Ends the child and fails the unanswered calls. A second call does nothing."""
        self._closed = True
        self.stop()

    def stop(self) -> None:
        """Ends the child. It answers what it has been sent; the next line starts another."""
        with self._lock:
            child, self._child = self._child, None
        if child is not None:
            child.close()

    def after_fork(self) -> None:
        """Forgets the child, its threads and their callers, in a forked process."""
        child = self._child
        closed = self._closed
        self._reset()
        self._closed = closed
        if child is not None:
            child.abandon()


def _first_open(call: Call) -> Optional[Line]:
    """Returns the first line of a call that has no reply."""
    return next((line for line in call.lines if line.reply is None), None)


_sessions: weakref.WeakSet[Session] = weakref.WeakSet()

#: The sessions that clients of this process share, by what their children are started with.
_shared: Dict[Tuple[Any, ...], Session] = {}


def shared_session(key: Tuple[Any, ...], command: Command) -> Session:
    """Returns the process's session for a key, with the command by which its child is started."""
    # One call of a dictionary, which no fork can find half done.
    return _shared.setdefault(key, Session(command))


def _after_fork() -> None:
    for session in list(_sessions):
        session.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
