"""The client over the real child, and over one that misbehaves."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import json
import multiprocessing
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest

import codelinter

Fake = Callable[..., codelinter.Client]

CLEAN = "```python\nx = 1\n```\n"
FAULTY = "x=1"
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and fork are POSIX's")


def task(**meta: Any) -> Dict[str, Any]:
    return {
        "instruction": "Fix this.\n{feedback}\n{code}",
        "inputs": {"code": "x=1\n", "feedback": "E225: missing whitespace around operator in 1 line\n"},
        "outputs": "",
        "meta": {"id": 7, "canonical_code": "x = 1\n", **meta},
    }


def test_score(real: codelinter.Client) -> None:
    clean, faulty = real.score([CLEAN, FAULTY])
    assert clean == clean._replace(reward=1.0, official=True, findings=0, guarded="")
    assert faulty == faulty._replace(reward=0.0, official=False, findings=2)
    assert real.score([]) == []


def test_score_holds_numbers_and_always_the_same(real: codelinter.Client) -> None:
    rows = [score.numbers() for score in real.score([CLEAN, FAULTY, "", "def", "# noqa"])]
    assert all(list(row) == list(rows[0]) for row in rows)
    assert all(type(value) is float for row in rows for value in row.values())


def test_guarded() -> None:
    with codelinter.Client() as client:
        same, other, bare = client.score([CLEAN, "```python\ny = 2\n```", CLEAN], [task(), task(), None])
    assert (same.guarded, same.reward, same.proof) == ("pass", 1.0, "tree")
    assert (other.guarded, other.reward) != ("pass", 1.0)
    assert other.reasons
    assert bare.official


def test_tasks_by_every_name(tmp_path: Path) -> None:
    file = tmp_path / "tasks.jsonl"
    file.write_text(json.dumps(task()) + "\n", encoding="utf-8")
    for tasks in (file, str(file), [task()]):
        with codelinter.Client(tasks=tasks) as client:
            for name in (7, "7", task(), json.dumps(task())):
                assert client.score([CLEAN], [name])[0].guarded == "pass"
            assert client.score([CLEAN, CLEAN], 7)[1].guarded == "pass"
            with pytest.raises(codelinter.Error, match="8"):
                client.score([CLEAN], [8])


def test_tasks_of_data_frames(real: codelinter.Client) -> None:
    """Rows of Arrow have None for what is missing, and arrays for lists."""

    class Array:
        def tolist(self) -> List[str]:
            return ["assert x == 1"]

    row = task(test_list=Array(), test_setup_code="", options=None, text=None)
    assert real.score([CLEAN], [row])[0].official


def test_one_bad_task_does_not_cost_the_others(real: codelinter.Client) -> None:
    bad: Dict[str, Any] = {"inputs": {"code": 3}}
    scores = real.try_score([CLEAN, CLEAN, CLEAN, FAULTY], [None, bad, bad, None])
    assert isinstance(scores[0], codelinter.Score)
    assert isinstance(scores[3], codelinter.Score)
    assert isinstance(scores[1], codelinter.Error)
    assert isinstance(scores[2], codelinter.Error)
    with pytest.raises(codelinter.Error, match=r"completions\[1\]: .*inputs\.code"):
        real.score([CLEAN, CLEAN], [None, bad])


def test_large_batches_keep_their_order(real: codelinter.Client) -> None:
    completions = [CLEAN if i % 3 else FAULTY * (i % 7 + 1) for i in range(4096)]
    tasks = [None if i % 5 else task(id=i) for i in range(4096)]
    scores = real.score(completions, tasks)
    assert [score.official for score in scores] == [bool(i % 3) for i in range(4096)]


def test_texts_of_any_kind(real: codelinter.Client) -> None:
    texts = ["x = '\ud800'", "\0", "é" * 3, "x = 1\r\n", "x = 1\u2028", "#" * 3_000_000]
    assert len(real.score(texts)) == len(texts)


@pytest.mark.parametrize(
    ("completions", "tasks", "problem"),
    [
        ("x = 1", None, "completions: expected a list of texts, found str"),
        (["x = 1", None], None, r"completions\[1\]: expected a text, found NoneType"),
        (["x = 1"], [None, None], "tasks: expected 1, one a completion, found 2"),
        (["x = 1"], [1.5], r"tasks\[0\]: expected a dict, its JSON text, an id or None, found float"),
        (["x = 1"], [True], r"tasks\[0\]: expected a dict, its JSON text, an id or None, found bool"),
    ],
)
def test_requests_that_make_no_sense(real: codelinter.Client, completions: Any, tasks: Any, problem: str) -> None:
    with pytest.raises(codelinter.Error, match=problem):
        real.score(completions, tasks)


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"verdict": "strict"}, "verdict: expected one of"),
        ({"reward": "soft"}, "reward: expected one of"),
        ({"verdict": "official", "reward": "shaped"}, "reward: the official verdict has none but"),
        ({"timeout": 0}, "timeout: expected seconds above 0"),
        ({"processors": 0}, "processors: expected 1 or more"),
        ({"tasks": [{"meta": {}}]}, r"tasks\[0\]: expected a task with meta.id"),
    ],
)
def test_settings_that_make_no_sense(settings: Dict[str, Any], problem: str) -> None:
    with pytest.raises(codelinter.Error, match=problem):
        codelinter.Client(**settings)


def test_lint(real: codelinter.Client) -> None:
    assert real.lint("x=1\n") == [codelinter.Finding("E225", 1, 2, 1, 1, "missing whitespace around operator")]
    assert real.lint("x = 1\n") == []
    assert real.lint("x = '%s'\n" % ("a" * 90), max_line_length=100) == []
    assert [f.code for f in real.lint("import os\nx=1\n", select=["F"])] == ["F401"]
    with pytest.raises(codelinter.Error, match="max-line"):
        real.lint("x = 1\n", max_line="long")
    assert [f.code for f in asyncio.run(real.alint("x=1\n"))] == ["E225"]


def test_without_a_binary(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CODELINTER_BINARY", str(tmp_path / "none"))
    with pytest.raises(codelinter.Error, match="CODELINTER_BINARY: expected the path of a file"):
        codelinter.Client().score([CLEAN])
    with pytest.raises(codelinter.Error, match="cannot start the child"):
        codelinter.Client(binary=str(tmp_path / "none")).score([CLEAN])


# The child misbehaves.


@pytest.mark.parametrize(
    ("kind", "problem"),
    [
        ("exits", "died 4 times on a request: it ended with exit code 2: expected a command, found stream"),
        ("dies", "died 4 times on a request: it was killed by signal 9"),
        ("babbles", "died 4 times on a request: expected replies with ids of ours, found 'what is this'"),
        ("refuses", "expected something else"),
        ("short", "expected 1 scores, found 0"),
        ("keyless", "a reply of another kind"),
    ],
)
def test_a_child_that_misbehaves_is_an_error(fake: Fake, kind: str, problem: str) -> None:
    with pytest.raises(codelinter.Error, match=problem):
        fake(kind).score([CLEAN])
    with pytest.raises(codelinter.Error, match=problem):
        asyncio.run(fake(kind).ascore([CLEAN]))


def test_an_error_of_one_completion(fake: Fake) -> None:
    client = fake()
    assert isinstance(client.try_score(["error", "good"])[0], codelinter.Error)
    with pytest.raises(codelinter.Error, match=r"completions\[1\]: ours \(and 1 more of 3\)"):
        client.score(["good", "error", "error"])


def test_a_child_that_hangs_is_killed_at_the_deadline(fake: Fake) -> None:
    client = fake("hangs", timeout=0.5)
    begin = time.monotonic()
    with pytest.raises(codelinter.Error, match=r"did not answer within 0\.5 s, and was killed"):
        client.score([CLEAN])
    with pytest.raises(codelinter.Error, match=r"did not answer within 0\.5 s, and was killed"):
        asyncio.run(client.ascore([CLEAN]))
    assert 1.0 <= time.monotonic() - begin < 20


@POSIX
def test_a_child_that_is_stopped(real: codelinter.Client) -> None:
    """A stopped child reads nothing: more than a pipe holds waits for it, and still the call ends."""
    client = codelinter.Client(verdict="official", timeout=1)
    assert client.score([CLEAN])[0].official
    stopped = client.pid
    assert stopped is not None
    os.kill(stopped, signal.SIGSTOP)
    with pytest.raises(codelinter.Error, match="did not answer within 1 s"):
        client.score(["x = 1\n" * 20_000] * 40)
    assert client.score([CLEAN])[0].official
    assert client.pid != stopped
    client.close()


@POSIX
def test_a_child_that_is_killed_again_and_again(real: codelinter.Client) -> None:
    """Each score is there once and right, whoever was killed meanwhile."""
    stop = threading.Event()
    kills = 0

    def kill() -> None:
        nonlocal kills
        while not stop.wait(0.1):
            pid = real.pid
            if pid is not None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    kills += 1

    def score(seed: int) -> None:
        chance = random.Random(seed)
        done = 0
        while done < 15 or kills < 3:
            done += 1
            good = [chance.random() < 0.5 for _ in range(chance.randrange(1, 300))]
            texts = [CLEAN if g else FAULTY for g in good]
            while True:
                try:
                    scores = real.score(texts)
                except codelinter.Error as error:
                    # Four kills in a row may hit one request; it is an error then, and never a score.
                    assert "died 4 times" in str(error)
                    continue
                break
            assert [s.official for s in scores] == good

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(score, range(8)))
    finally:
        stop.set()
        killer.join()


# Threads, loops, processes.


def test_many_loops_and_threads_share_a_child(real: codelinter.Client) -> None:
    real.score([CLEAN])
    pid = real.pid

    async def many() -> List[bool]:
        batches = await asyncio.gather(*(real.ascore([CLEAN, FAULTY]) for _ in range(20)))
        return [score.official for batch in batches for score in batch]

    with ThreadPoolExecutor(6) as pool:
        for result in [pool.submit(asyncio.run, many()) for _ in range(6)]:
            assert result.result() == [True, False] * 20
    assert real.pid == pid


def test_a_loop_goes_on_meanwhile(fake: Fake) -> None:
    client = fake("slow")

    async def main() -> int:
        scoring = asyncio.ensure_future(client.ascore(["good"]))
        turns = 0
        while not scoring.done():
            await asyncio.sleep(0.01)
            turns += 1
        assert scoring.result()[0].official
        return turns

    assert asyncio.run(main()) >= 10


def test_sync_calls_within_a_loop(real: codelinter.Client) -> None:
    async def main() -> bool:
        return real.score([CLEAN])[0].official and (await real.ascore([CLEAN]))[0].official

    assert asyncio.run(main())


def test_a_call_that_is_cancelled(fake: Fake) -> None:
    client = fake("slow")

    async def main() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(client.ascore(["good"]), 0.1)
        assert (await client.ascore(["good", "bad"]))[1].reward == 0.0

    asyncio.run(main())


def test_pickle_and_copy(real: codelinter.Client) -> None:
    real.score([CLEAN])
    for clone in (pickle.loads(pickle.dumps(real)), copy.deepcopy(real), copy.copy(real)):  # noqa: S301
        assert clone.verdict == "official"
        assert clone.pid is None
        assert clone.score([CLEAN])[0].official
        assert clone.pid != real.pid
        clone.close()
    assert real.score([CLEAN])[0].official


def _in_process(client: codelinter.Client, replies: Any) -> None:
    replies.put(([s.official for s in client.score([CLEAN, FAULTY])], client.pid))


@POSIX
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_another_process_has_a_child_of_its_own(real: codelinter.Client, method: str) -> None:
    real.score([CLEAN])
    context: Any = multiprocessing.get_context(method)
    replies = context.Queue()
    # Workers of trainers are daemonic: they may not have children by multiprocessing.
    workers = [context.Process(target=_in_process, args=(real, replies), daemon=True) for _ in range(2)]
    for worker in workers:
        worker.start()
    found = [replies.get(timeout=60) for _ in workers]
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    assert [official for official, _ in found] == [[True, False]] * 2
    assert len({pid for _, pid in found} | {real.pid}) == 3
    assert real.score([CLEAN])[0].official


@POSIX
def test_a_fork_among_busy_threads(real: codelinter.Client) -> None:
    """Whatever lock another thread holds when a process is forked off, the new process scores."""
    stop = threading.Event()

    def busy() -> None:
        while not stop.is_set():
            real.score([CLEAN] * 20)

    threads = [threading.Thread(target=busy) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(20):
            pid = os.fork()
            if pid == 0:
                good = False
                try:
                    good = real.score([CLEAN])[0].official
                    real.close()
                finally:
                    os._exit(0 if good else 1)
            assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def _alive(pid: int) -> bool:
    """Reports whether a process runs; a zombie that nobody has waited for does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
@pytest.mark.parametrize("end", ["", "os._exit(3)", "os.kill(os.getpid(), 9)", "raise SystemExit", "del client"])
def test_the_child_goes_with_its_parent(end: str) -> None:
    """Even where a process that was forked off lives on."""
    program = f"""
import os, sys, time
import codelinter
client = codelinter.Client(verdict="official")
client.score(["x = 1"])
print(client.pid, flush=True)
if os.fork() == 0:
    sys.stdout = None; os.close(1)
    time.sleep(8)
    os._exit(0)
{end}
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, check=False)
    pid = int(done.stdout)
    for _ in range(60):
        if not _alive(pid):
            return
        time.sleep(0.1)
    pytest.fail("the child lives on")


def test_close(real: codelinter.Client) -> None:
    assert real.score([CLEAN])[0].official
    real.close()
    real.close()
    assert real.pid is None
    with pytest.raises(codelinter.Error, match="the client is closed"):
        real.score([CLEAN])


def test_default_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODELINTER_VERDICT", "official")
    monkeypatch.setenv("CODELINTER_TIMEOUT", "12.5")
    client = codelinter.default_client()
    assert client is codelinter.default_client()
    assert (client.verdict, client.timeout) == ("official", 12.5)
    assert codelinter.default_client(verdict="guarded").verdict == "guarded"
    monkeypatch.setenv("CODELINTER_TIMEOUT", "soon")
    with pytest.raises(codelinter.Error, match="CODELINTER_TIMEOUT: expected a number, found 'soon'"):
        codelinter.default_client()
