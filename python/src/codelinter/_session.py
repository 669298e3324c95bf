"""The child process that answers lines: starting it, waiting for it, ending it.

A :class:`Session` owns at most one child, ``codelinter stream``. It gives each line
an id, which leads the reply back to the caller. Its threads:

* The caller writes its line into the child's standard input, without blocking. If the
  pipe does not take all of it, the *writer* writes the rest. This thread exists only
  while it is needed.
* The *reader* waits for replies, decodes them and hands them to the callers. When the
  child ends, it starts another child and sends the unanswered lines again.
* A third thread keeps the end of the child's standard error, to explain its death.

A child lives no longer than this process. It ends at the end of its standard input,
and only this process holds the other end of that pipe. Popen closes the pipe on exec,
and a forked process closes its copy before anything else runs there.

One lock guards all shared state. It is never held during a wait.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import selectors
import subprocess
import threading
import time
import weakref
from collections import deque
from concurrent.futures import Future
from typing import IO, Any, Callable, Deque, Dict, Iterator, List, Optional, Tuple

from . import _json
from ._error import Error, NoChildError

#: How often a line is sent again when the child that has it dies.
RESENDS = 3

#: The longest line that the child reads, in bytes, and what Line adds to a request at most.
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

#: The exit code of a child with an invalid setting, and how its last line on standard error begins.
_MISUSE = 2
_REFUSES = "codelinter stream: error: "

_NO_REPLY: Dict[str, Any] = {}

#: Returns the command line and the environment of a child.
Command = Callable[[], Tuple[List[str], Dict[str, str]]]

#: A pipe's write end is made non-blocking, which Windows knows only of late.
_NONBLOCKING = os.name == "posix"


class Line:
    """A request that is sent to the child, and the place of its reply."""

    __slots__ = ("allowed", "children", "future", "sent", "text", "timeout")

    def __init__(self, text: bytes, timeout: float) -> None:
        self.text = text
        #: How many seconds one request may take in the child.
        self.timeout = timeout
        self.future: Future[Dict[str, Any]] = Future()
        #: How many children died that may have been working on it.
        self.children = 0
        #: When it was sent last, by time.monotonic(), and how many seconds its reply may take at the most.
        self.sent = 0.0
        self.allowed = 0.0

    def answer(self, reply: Dict[str, Any]) -> None:
        # Who waited may have been cancelled.
        with contextlib.suppress(Exception):
            self.future.set_result(reply)

    def fail(self, problem: Error) -> None:
        with contextlib.suppress(Exception):
            self.future.set_exception(problem)


class _Child:
    """A process and its pipes. All methods but those of its threads are called under the session's lock."""

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
        self._lock = threading.Lock()
        self._backlog: Deque[memoryview] = deque()
        self._writer: Optional[threading.Thread] = None
        if _NONBLOCKING:
            os.set_blocking(self.stdin.fileno(), False)
        self._listener = threading.Thread(target=self._listen, name="codelinter-stderr", daemon=True)
        try:
            self._listener.start()
        except BaseException:
            self.process.kill()
            self.process.wait()
            raise

    def send(self, text: bytes) -> None:
        """Writes a line, or the part that the pipe takes at once; the writer does the rest."""
        with self._lock:
            rest = memoryview(text)
            if _NONBLOCKING and not self._backlog:
                rest = rest[self._write(rest) :]
            if rest:
                self._backlog.append(rest)
                if self._writer is None:
                    self._writer = threading.Thread(target=self._drain, name="codelinter-writer", daemon=True)
                    try:
                        self._writer.start()
                    except RuntimeError as error:  # there is no thread to have: its reader sees it end
                        self._writer = None
                        self.kill(f"cannot write to it: {error}")

    def _write(self, text: memoryview) -> int:
        """Returns the number of bytes written. A dead child counts as taking them all: the reader sees its death."""
        try:
            return os.write(self.stdin.fileno(), text)
        except BlockingIOError:
            return 0
        except (OSError, ValueError):
            return len(text)

    def _drain(self) -> None:
        """Is the writer: it ends when there is nothing left to write."""
        with selectors.DefaultSelector() as selector:
            if _NONBLOCKING:
                selector.register(self.stdin.fileno(), selectors.EVENT_WRITE)
            while True:
                if _NONBLOCKING:
                    selector.select(0.1)
                    with self._lock:
                        if self._wrote(self._write(self._backlog[0]) if self._backlog else 0):
                            return
                else:
                    with self._lock:
                        text = self._backlog[0][: 1 << 16] if self._backlog else memoryview(b"")
                    taken = self._write(text)
                    with self._lock:
                        if self._wrote(taken):
                            return

    def _wrote(self, taken: int) -> bool:
        """Removes the written bytes from the backlog, and reports whether the writer is done."""
        if self._backlog:
            rest = self._backlog[0][taken:]
            if rest:
                self._backlog[0] = rest
            else:
                self._backlog.popleft()
        if not self._backlog:
            self._writer = None
        return not self._backlog

    def _stop_writing(self) -> None:
        """Closes standard input, after making sure that no thread writes to its descriptor any more."""
        with self._lock:
            self._backlog.clear()
            writer = self._writer
        if writer is not None:
            writer.join()
        with self._lock, contextlib.suppress(OSError):
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

    def lines(self) -> Iterator[bytes]:
        """Yields the lines of standard output until it ends."""
        begun: List[bytes] = []
        while piece := os.read(self.stdout.fileno(), 1 << 18):
            first, newline, rest = piece.partition(b"\n")
            begun.append(first)
            if newline:
                yield b"".join(begun)
                *whole, last = rest.split(b"\n")
                yield from whole
                begun = [last]

    def reap(self) -> str:
        """Waits for a process that has closed its standard output and says why it ended."""
        try:
            code = self.process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        self._listener.join(_GRACE)
        self._stop_writing()
        for pipe in (self.stdout, self.stderr):
            with contextlib.suppress(OSError):
                pipe.close()
        why = self.killed or (f"it was killed by signal {-code}" if code < 0 else f"it ended with exit code {code}")
        said = self.said.decode(errors="replace").strip()
        return f"{why}: {said}" if said else why

    def refusal(self) -> str:
        """Why the process, which was reaped, refused to start: a setting is invalid. "" if it did not refuse."""
        said = self.said.decode(errors="replace").strip().rpartition("\n")[2]
        # Go's runtime ends with 2 after a panic too.
        if self.first_reply or self.killed or self.process.returncode != _MISUSE or not said.startswith(_REFUSES):
            return ""
        return said[len(_REFUSES) :]

    def close(self) -> None:
        """Ends the child, which ends at the end of its standard input."""
        if not _NONBLOCKING and self._writer is not None:
            self.process.kill()  # the writer may be in a write that nothing else ends
        self._stop_writing()
        try:
            self.process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def abandon(self) -> None:
        """Closes the copies of the parent's pipes to its child, in a forked process."""
        for pipe in (self.stdin, self.stdout, self.stderr):
            with contextlib.suppress(OSError):
                pipe.close()
        # It is not ours to wait for.
        self.process.returncode = 0


class Session:
    """Lines in, replies out, over one child at a time. See the module's docstring."""

    def __init__(self, command: Command) -> None:
        self._command = command
        self._reset()
        _sessions.add(self)

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._ids = itertools.count(1)
        #: Sent or to be sent, in the order in which they were asked.
        self._pending: Dict[int, Line] = {}
        self._child: Optional[_Child] = None
        self._starting = False
        self._closed = False

    @property
    def running(self) -> bool:
        """Whether there is a child. If so, submitting a line starts none."""
        return self._child is not None or self._starting

    @property
    def pid(self) -> Optional[int]:
        """The child's process id, None if there is none now."""
        child = self._child
        return None if child is None else child.process.pid

    def submit(self, body: bytes, timeout: float) -> Line:
        """Sends a request: a JSON object without its "id" and its newline.

        It starts a child if there is none. It never waits for one.

        Raises:
            Error: the client is closed, or the request is longer than the child reads.
        """
        if len(body) > _LINE_LENGTH:
            raise Error(f"expected a request of {_LINE_LENGTH} bytes at most, found one of {len(body)}")
        with self._lock:
            if self._closed:
                raise NoChildError("the client is closed")
            number = next(self._ids)
            line = Line(b'{"id":%d,%s\n' % (number, body[1:]), timeout)
            self._pending[number] = line
            child = self._child
            if child is not None:
                self._send(child, line)
                return line
            if self._starting:
                return line
            self._starting = True
        self._start()
        return line

    def _send(self, child: _Child, line: Line) -> None:
        line.sent = time.monotonic()
        # The child takes lines in order, and each has the time there is for one.
        line.allowed = line.timeout * (1 + len(self._pending))
        child.send(line.text)

    def _start(self) -> None:
        """Starts a child and sends it the pending lines. The caller has set _starting.

        If no child can be started, the pending lines fail: for want of a binary, a process, memory
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
                    for line in self._pending.values():
                        self._send(child, line)
            if self._closed:
                child.close()
            reader.start()
        except BaseException as error:
            problem = str(error) if isinstance(error, Error) else f"cannot start the child: {error}"
            with self._lock:
                self._starting = False
                self._child = None
                lines, self._pending = list(self._pending.values()), {}
            for line in lines:
                line.fail(NoChildError(problem))
            if child is not None:
                child.kill(problem)
                child.close()
            if not isinstance(error, Exception):
                raise

    def _read(self, child: _Child) -> None:
        """Is the reader of one child: it ends with the child, or starts the next and its reader."""
        try:
            for text in child.lines():
                try:
                    reply = _json.loads(text)
                    number = reply["id"]
                except (ValueError, KeyError, TypeError):
                    reply, number = _NO_REPLY, None
                if not isinstance(number, int):
                    child.kill(f"expected replies with ids of ours, found {text[:200].decode(errors='replace')!r}")
                    break
                child.last_reply = time.monotonic()
                child.first_reply = child.first_reply or child.last_reply
                with self._lock:
                    line = self._pending.pop(number, None)
                if line is not None:
                    line.answer(reply)
        except (OSError, ValueError):
            pass  # the pipe was closed
        except Exception as error:  # there was no memory for a reply, say: without a reader nothing is ever answered
            child.kill(f"cannot read its replies: {error!r}")
        why = child.reap()
        refusal = child.refusal()
        with self._lock:
            if self._child is child:
                self._child = None
            for line in itertools.islice(self._pending.values(), _SUSPECTS):
                line.children += 1
            lost = [n for n, line in self._pending.items() if self._closed or refusal or line.children > RESENDS]
            lines = [self._pending.pop(n) for n in lost]
            restart = bool(self._pending) and self._child is None and not self._starting
            self._starting = self._starting or restart
        problem: Error = NoChildError("the client was closed")
        if refusal:
            problem = NoChildError(refusal)
        elif not self._closed:
            problem = Error(f"the child died {RESENDS + 1} times on a request: {why}")
        for line in lines:
            line.fail(problem)
        if restart:
            self._start()

    def patience(self, line: Line) -> float:
        """Returns the seconds to wait for a line before :meth:`overdue` is asked again."""
        with self._lock:
            child = self._child
            if child is None or not line.sent:
                return min(line.timeout, _LOOK)
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

    def overdue(self, line: Line) -> None:
        """If the line is overdue, fails it and kills the child. The child's other lines are sent to the next child."""
        with self._lock:
            child = self._child
            now = time.monotonic()
            if child is None or line.future.done() or now < self._due(child, line):
                return
            for number, pending in self._pending.items():
                if pending is line:
                    del self._pending[number]
                    break
            seconds = line.timeout
            if not child.first_reply or now < child.told + seconds * (_FIRST + 1):
                seconds *= _FIRST
            child.kill(f"it did not answer for {seconds:g} s")
        line.fail(Error(f"the child did not answer within {seconds:g} s, and was killed"))

    def drop(self, lines: List[Line]) -> None:
        """Forgets lines that nobody waits for any more."""
        with self._lock:
            gone = {id(line) for line in lines}
            for number in [n for n, line in self._pending.items() if id(line) in gone]:
                del self._pending[number]

    def close(self) -> None:
        """Ends the child and fails the unanswered lines. A second call does nothing."""
        with self._lock:
            self._closed = True
            child, self._child = self._child, None
        if child is not None:
            child.close()

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
