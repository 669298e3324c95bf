"""The client over the real child, and over one that misbehaves."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import gc
import json
import math
import multiprocessing
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, Dict, Iterator, List

import pytest

import codelinter
from codelinter import NO_TASK
from codelinter._session import Line

Fake = Callable[..., codelinter.Client]

CLEAN = "```python\nx = 1\n```\n"
FAULTY = "x=1"
HANG = 600  # seconds after which what a test waits for hangs
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and fork are POSIX's")


def task(**meta: Any) -> Dict[str, Any]:
    return {
        "instruction": "Fix this.\n{feedback}\n{code}",
        "inputs": {"code": "x=1\n", "feedback": "E225: missing whitespace around operator in 1 line\n"},
        "outputs": "",
        "meta": {"id": 7, "canonical_code": "x = 1\n", **meta},
    }


def chat(text: str) -> Dict[str, str]:
    return {"role": "assistant", "content": text}


def nested(depth: int) -> Any:
    value: Any = {}
    for _ in range(depth):
        value = {"": value}
    return value


def test_score(real: codelinter.Client) -> None:
    clean, faulty = real.score([CLEAN, FAULTY])
    assert (clean.reward, clean.official, clean.found, clean.guarded) == (1.0, True, 0, "")
    assert (faulty.reward, faulty.official, faulty.found) == (0.0, False, 2)
    assert real.score([]) == []
    assert clean == pickle.loads(pickle.dumps(clean)) != faulty  # noqa: S301
    assert repr(faulty).startswith(
        "Score(reward=0.0, official=False, guarded='', proof='', reasons=('official',), found="
    )


def test_findings_of_a_completion(real: codelinter.Client) -> None:
    """They are those of the code that was taken out, which is what lint is given."""
    given = {**task(), "inputs": {"code": "import os\nx=1\ny=2\n", "feedback": ""}}
    mended, broken = real.score(["```python\nx = 1\ny=2; \n```", "x = ("], given)
    assert list(mended.findings) == real.lint(mended.code)
    assert mended.code == "\nx = 1\ny=2; \n"
    assert [finding.code for finding in mended.findings] == ["E225", "E703", "W291"]
    assert mended.found == 3
    assert mended.changes == {"E225": (1, 1, 0), "E703": (0, 0, 1), "F401": (1, 0, 0), "W291": (0, 0, 1)}
    assert mended.changes["E225"].left == 1
    assert (mended.fixed, mended.left, mended.introduced) == (2, 1, 2)
    # Of what cannot be parsed, flake8 sees nothing else: that fixes nothing.
    assert broken.changes == {"E225": (0, 2, 0), "E999": (0, 0, 1), "F401": (0, 1, 0)}
    assert (broken.fixed, broken.left, broken.introduced, broken.invalid) == (0, 3, 1, True)
    with codelinter.Client(verdict="official", details=False) as client:
        (bare,) = client.score(["x=1\n"], given)
        assert bare.found == 1
        with pytest.raises(codelinter.Error, match="details=False"):
            print(bare.findings)


def test_functions_of_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CODELINTER_VERDICT", raising=False)
    assert [finding.code for finding in codelinter.lint("x=1\n", ignore=["E999"])] == ["E225"]
    assert [score.reward for score in codelinter.score(["x = 1\n", "x=1\n"], verdict="official")] == [1.0, 0.0]
    assert [score.guarded for score in codelinter.score(["x = 1\n"], task())] == ["pass"]
    with pytest.raises(codelinter.Error, match="code: expected a text, found NoneType"):
        codelinter.lint(None)  # type: ignore[arg-type]
    with (
        codelinter.Client() as client,
        pytest.raises(codelinter.Error, match=r"codes\[1\]: expected a text, found int"),
    ):
        client.lint_many(["", 7])  # type: ignore[list-item]
    assert isinstance(codelinter.__version__, str)
    with pytest.raises(AttributeError, match="nothing"):
        print(codelinter.nothing)


def test_composed_rewards(monkeypatch: pytest.MonkeyPatch) -> None:
    reward = codelinter.rewards.Sum(
        codelinter.rewards.passed(),
        codelinter.rewards.empty(),
        codelinter.rewards.fixed(0.5, codes={"F401": 3, "E": 1}),
        codelinter.rewards.partial(0.1),
        codelinter.rewards.introduced(0.2, codes={"W": 0.5}),
        codelinter.rewards.longer(1.0, than=20),
        codelinter.rewards.edited(0.3),
        least=-1.0,
    )
    given = {**task(canonical_code=""), "inputs": {"code": "import os\nx=1\n", "feedback": ""}}
    answers = ["x = 1\n", "x=1\n", "import os\nx=1 \n", "x = (", "import os\nx = 1\n" + "# more\n" * 9]
    with codelinter.Client(reward=pickle.loads(pickle.dumps(reward))) as client:  # noqa: S301
        scores = client.score(answers, given)
    assert scores[0].terms == {
        "passed": 1.0,
        "empty": 0.0,
        "fixed": 0.5,
        "partial": 0.0,
        "introduced": 0.0,
        "longer": 0.0,
        "edited": pytest.approx(-0.3),
    }
    assert scores[0].reward == pytest.approx(1.2)
    assert scores[1].terms["fixed"] == pytest.approx(0.5 * 3 / 4)  # the import went, the spaces are missing
    assert (scores[1].terms["passed"], scores[1].kept) == (0.0, True)
    assert scores[2].terms["introduced"] == pytest.approx(-0.1)
    assert (scores[3].terms["fixed"], scores[3].terms["partial"], scores[3].terms["introduced"]) == (0.0, 0.0, -0.2)
    assert scores[4].terms["longer"] == -1.0
    assert scores[4].numbers()["term_longer"] == -1.0
    assert (scores[0].reward, scores[0].terms) == (pickle.loads(pickle.dumps(scores[0])).reward, scores[0].terms)  # noqa: S301


def test_rewards_for_silence() -> None:
    """What the documentation shows pays an empty answer less than any try; what does not, warns."""
    r = codelinter.rewards
    problem = "an empty answer gets 0 and one that is not valid Python -0.2: add rewards.empty() and least"
    with pytest.warns(UserWarning, match=re.escape(problem)):
        assert r.Sum(r.passed(), r.fixed(0.5), r.introduced(0.2)).pays_silence() == problem
    with pytest.warns(UserWarning, match="an empty answer gets -0.1 and one that is not valid Python -0.2"):
        r.Sum(r.passed(), r.introduced(0.2), r.empty(0.1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shown = documented_sum()
        r.Sum(r.passed())
        r.Sum(r.passed(), r.introduced(0.2), least=0.0)
        r.Sum(r.passed(), r.Term("own", lambda score: 1 / (score.found - score.found)))
    with pytest.warns(UserWarning, match="by the official verdict an empty answer gets 0 and one that is not valid"):
        codelinter.Client(verdict="official", reward=shown)
    given = {**task(canonical_code=""), "inputs": {"code": "import os\nx=1\n", "feedback": ""}}
    answers = ["", "pass\n", "# none\n", "x = (", "x=1 \n" * 9, "import os\nx=1\n", "x=1\n", "x = 1\n"]
    with codelinter.Client(reward=shown) as client:
        found = [score.reward for score in client.score(answers, given)]
        # A program in which nothing happens has no other answer.
        (nothing,) = client.score(["# a\n"], {**given, "inputs": {"code": "# a \n", "feedback": ""}})
    assert found[:3] == [-1.0] * 3
    assert min(found[3:]) >= -1.0
    assert found[3:] == [pytest.approx(value) for value in (-0.7, -1.0, 0.0, 0.25, 1.5)]
    assert (nothing.reward, nothing.terms["empty"]) == (1.5, 0.0)


def documented_sum() -> Any:
    """Returns the reward that README.md shows."""
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^reward = (rewards\.Sum\(.*?^\))", text, re.MULTILINE | re.DOTALL)
    return eval(shown, {"rewards": codelinter.rewards})  # noqa: S307


def test_partial_rewards_what_is_open_alone() -> None:
    reward = codelinter.rewards.Sum(codelinter.rewards.fixed(), codelinter.rewards.partial(0.2))
    endless = {**task(canonical_code=""), "inputs": {"code": "x=1\nwhile True :\n    pass\n", "feedback": ""}}
    answers = [
        "x = 1\nwhile True :\n    x = 1\n",
        "x = 1\nwhile True:\n    x = 1\n",
        "x = 1\nwhile True :\n    pass\n",
        "pass\n",
        "x = (",
    ]
    with codelinter.Client(reward=reward) as client:
        assert [score.reward for score in client.score(answers, endless)] == [0.1, 0.2, 0.5, 0.0, 0.0]
    with codelinter.Client(reward=reward, on_unknown="mask") as client:
        scores = client.score(answers, endless)
    assert [(score.reward, score.masked) for score in scores[1:3]] == [(0.0, True), (0.5, False)]
    assert scores[1].terms == {"fixed": 0.0, "partial": 0.0}


def odd(score: codelinter.Score) -> float:
    return {"x = 1\n": 0.25, "x = 2\n": float("nan")}[score.code]


def test_functions_as_rewards() -> None:
    with codelinter.Client(verdict="official", reward=odd) as client:
        good, nan, bad = client.try_score(["x = 1\n", "x = 2\n", "x = 3\n"])
    assert isinstance(good, codelinter.Score)
    assert (good.reward, good.terms) == (0.25, {})
    assert str(nan) == "reward: expected a finite number, found nan, of a function"
    assert str(bad) == "reward: KeyError: 'x = 3\\n'"
    named: Any = "tests.test_client:odd"
    with codelinter.Client(verdict="official", reward=named) as client:
        assert client.score(["x = 1\n"])[0].reward == 0.25
    for wrong, problem in (("tests.test_client:none", "has no attribute 'none'"), ("half", "or a function of a score")):
        with pytest.raises(codelinter.Error, match=problem):
            codelinter.Client(reward=wrong)
    with pytest.raises(codelinter.Error, match="at least one term"):
        codelinter.rewards.Sum()
    with pytest.raises(codelinter.Error, match="found 'passed' twice"):
        codelinter.rewards.Sum(codelinter.rewards.passed(), codelinter.rewards.passed(2.0))
    with pytest.raises(codelinter.Error, match=r"codes\['E'\]: expected a number of 0 or more, found -1"):
        codelinter.rewards.fixed(codes={"E": -1})


def test_files(tmp_path: Path) -> None:
    """They are linted as on the command line: in folders, with the configuration that is there."""
    (tmp_path / "a.py").write_text("import os\nx=1\n", encoding="utf-8")
    (tmp_path / "b.py").write_text("x = 1\n", encoding="utf-8")
    found = codelinter.check_paths([str(tmp_path)], isolated=True, extend_ignore=["F8"])
    assert [(Path(f.path).name, f.code, f.row, f.column) for f in found] == [
        ("a.py", "F401", 1, 1),
        ("a.py", "E225", 2, 2),
    ]
    assert found[1].message == "missing whitespace around operator"
    assert codelinter.check_file(tmp_path / "b.py", isolated=True) == []
    assert codelinter.check_file(tmp_path / "b.py", isolated=True, max_line_length=4)[0].code == "E501"
    assert codelinter.check_paths([]) == []
    for arguments, options, problem in (
        (["a.py"], {"format": "json"}, "format: expected an option that says what is found"),
        (["a.py"], {"max_line_length": "x"}, "max-line-length"),
        ("a.py", {}, "paths: expected a list of paths, found str"),
        ([None], {}, r"paths\[0\]: expected a path, found NoneType"),
    ):
        with pytest.raises(codelinter.Error, match=problem):
            codelinter.check_paths(arguments, **options)  # type: ignore[arg-type]


USER = """
import codelinter
from codelinter.trl import CleanReward

client = codelinter.Client(verdict="official", on_unknown="mask", timeout=3)
for score in client.score(["x=1"], {"inputs": {"code": ""}}):
    reward: float = score.reward
    codes: list[str] = [finding.code for finding in score.findings]
    gone: int = score.changes["E225"].fixed
reveal = [f.message for f in codelinter.lint("x = 1", max_line_length=100)]
function = CleanReward(verdict="guarded", reward="shaped")
total: float = sum(s.reward for s in codelinter.score(["x = 1"], verdict="official"))
"""


def test_types_of_a_user(tmp_path: Path) -> None:
    """What one writes by the README is clean under mypy --strict, and a misspelt setting is an error."""
    pytest.importorskip("mypy")
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(USER, encoding="utf-8")
    calls = ["codelinter.Client(", "codelinter.score([], ", "codelinter.default_client(", "CleanReward("]
    head = "import codelinter\nfrom codelinter.trl import CleanReward\n\n"
    wrong.write_text(head + "\n".join(f"{call}verdict='offical')" for call in calls) + "\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={tmp_path / 'cache'}", right, wrong],
        env={**os.environ, "MYPYPATH": str(Path(codelinter.__file__).parents[1])},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    errors = [line for line in done.stdout.splitlines() if ": error: " in line]
    assert len(errors) == len(calls), done.stdout
    assert all("wrong.py" in line and "Literal['offical']" in line for line in errors)


def test_score_holds_numbers_and_always_the_same(real: codelinter.Client) -> None:
    rows = [score.numbers() for score in real.score([CLEAN, FAULTY, "", "def", "# noqa"])]
    assert all(list(row) == list(rows[0]) for row in rows)
    assert all(type(value) is float for row in rows for value in row.values())


def test_guarded() -> None:
    with codelinter.Client() as client:
        same, other, bare = client.score([CLEAN, "```python\ny = 2\n```", CLEAN], [task(), task(), NO_TASK])
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
    scores = real.try_score([CLEAN, CLEAN, CLEAN, FAULTY], [NO_TASK, bad, bad, NO_TASK])
    assert isinstance(scores[0], codelinter.Score)
    assert isinstance(scores[3], codelinter.Score)
    assert isinstance(scores[1], codelinter.Error)
    assert isinstance(scores[2], codelinter.Error)
    with pytest.raises(codelinter.Error, match=r"completions\[1\]: .*inputs\.code"):
        real.score([CLEAN, CLEAN], [NO_TASK, bad])


def test_a_bad_row_costs_a_row(real: codelinter.Client) -> None:
    completions: List[Any] = ["x = 1\n", None, CLEAN, FAULTY, CLEAN, 7]
    tasks: List[Any] = [NO_TASK, NO_TASK, 1.5, NO_TASK, {"meta": {1}}, NO_TASK]
    problems = {
        1: "expected a text, found NoneType",
        2: "tasks[2]: expected a dict",
        4: "tasks[4]: expected a value of JSON",
    }
    for scores in (real.try_score(completions, tasks), asyncio.run(real.atry_score(completions, tasks))):
        assert [isinstance(score, codelinter.Error) for score in scores] == [False, True, True, False, True, True]
        assert all(str(scores[i]).startswith(problem) for i, problem in problems.items())
        assert [scores[0].reward, scores[3].reward] == [1.0, 0.0]  # type: ignore[union-attr]


def test_large_batches_keep_their_order(real: codelinter.Client) -> None:
    completions = [CLEAN if i % 3 else FAULTY * (i % 7 + 1) for i in range(4096)]
    tasks = [NO_TASK if i % 5 else task(id=i) for i in range(4096)]
    scores = real.score(completions, tasks)
    assert [score.official for score in scores] == [bool(i % 3) for i in range(4096)]


class Series:
    """Is a shuffled column of a data frame: an index into it is a label, and not a place."""

    def __init__(self, values: List[Any]) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def __getitem__(self, label: int) -> Any:
        return self.values[-1 - label]


def test_lists_of_any_kind(real: codelinter.Client) -> None:
    other = {**task(id=8, canonical_code="y = 2\n"), "inputs": {"code": "y=2\n", "feedback": ""}}
    with codelinter.Client(tasks=[task(), other]) as client:
        tasks = Series([7, 8, 8])
        scores = client.score(Series([CLEAN, CLEAN, "y = 2\n"]), tasks)  # type: ignore[arg-type]
        assert [score.guarded for score in scores] == ["pass", "fail", "pass"]
    for score in (real.score, lambda *given: asyncio.run(real.ascore(*given))):
        assert [s.reward for s in score(text for text in (CLEAN, FAULTY))] == [1.0, 0.0]  # type: ignore[arg-type]
        assert [s.reward for s in score((CLEAN, FAULTY), (NO_TASK, NO_TASK))] == [1.0, 0.0]


def test_texts_that_are_too_large(real: codelinter.Client) -> None:
    """However many and however large: they are scores, and what is beside them is not lost with them."""
    for texts in (["x = 1\n" * 200_000] * 60, ["x" * (70 << 20)], ["\0" * (3 << 20)]):
        scores = real.score([CLEAN, *texts, FAULTY])
        assert [score.reasons for score in scores[1:-1]] == [("too-large",)] * len(texts)
        assert [scores[0].reward, scores[-1].found] == [1.0, 2]
    with pytest.raises(codelinter.Error, match="expected a request of 67108800 bytes at most, found one of 73"):
        real.lint("x" * (70 << 20))
    assert real.lint("x = 1\n") == []


def test_texts_of_any_kind(real: codelinter.Client) -> None:
    texts = ["x = '\ud800'", "\0", "é" * 3, "x = 1\r\n", "x = 1\u2028", "#" * 3_000_000]
    assert len(real.score(texts)) == len(texts)


@pytest.mark.parametrize(
    ("completions", "tasks", "problem"),
    [
        ("x = 1", NO_TASK, "completions: expected a list, found str"),
        (["x = 1", None], NO_TASK, r"completions\[1\]: expected a text, found NoneType"),
        (["x = 1"], [NO_TASK] * 2, "tasks: expected 1, one a completion, found 2"),
        (["x = 1"], [1.5], r"tasks\[0\]: expected a dict, its JSON text, an id or NO_TASK, found float"),
        (["x = 1"], [True], r"tasks\[0\]: expected a dict, its JSON text, an id or NO_TASK, found bool"),
        (["x = 1"], None, "tasks: expected a task, a list of tasks, or NO_TASK, found None"),
        (["x = 1"], [None], r"tasks\[0\]: expected a dict, its JSON text, an id or NO_TASK, found None"),
        (["x = 1"], "", r"tasks\[0\]: expected a dict, its JSON text, an id or NO_TASK, found ''"),
        (None, NO_TASK, "completions: expected a list, found NoneType"),
        ({"x = 1": 1}, NO_TASK, "completions: expected a list, found dict"),
        ([chat("x = 1")], NO_TASK, r"completions\[0\]: expected a text, found dict"),
        (["x = 1"], 1.5, "tasks: expected a list, found float"),
        (["x = 1"] * 2, [NO_TASK, {"meta": {1}}], r"tasks\[1\]: expected a value of JSON, found set"),
        (["x = 1"], [{"meta": nested(100_000)}], r"tasks\[0\]: expected a value of JSON, found one that is too deep"),
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
        ({"timeout": None}, "timeout: expected seconds above 0, found None"),
        ({"timeout": float("nan")}, "timeout: expected seconds above 0, found nan"),
        ({"processors": 0}, "processors: expected an integer of 1 or more, found 0"),
        ({"processors": "2"}, "processors: expected an integer of 1 or more, found '2'"),
        ({"tasks": [{"meta": {"id": 7}}, {"meta": {"id": "7"}}]}, r"tasks\[1\]: expected an id of its own, found '7'"),
        ({"tasks": [{"meta": {"id": 7}, "text": {1}}]}, r"tasks\[0\]: expected a value of JSON, found set"),
        ({"tasks": [{"meta": {}}]}, r"tasks\[0\]: expected a task with meta.id"),
    ],
)
def test_settings_that_make_no_sense(settings: Dict[str, Any], problem: str) -> None:
    with pytest.raises(codelinter.Error, match=problem):
        codelinter.Client(**settings)


def test_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    site = Path(__file__).parents[2] / "internal" / "plugins" / "testdata" / "site"
    if not site.exists():
        pytest.skip("the tests of the repository are not there")
    options: Dict[str, Any] = {"plugins": {"house-plugins": "1.0"}, "select": ["H103"]}
    task = {"program": "import os\n", "options": options}
    answers = ["x = 1\n", "import os\n"]
    with codelinter.Client(verdict="official", plugins=[site]) as client:
        assert [score.reward for score in client.score(answers, task)] == [1.0, 0.0]
        assert [f.code for f in client.lint(answers[1], **options)] == ["H103"]
        with pytest.raises(codelinter.Error, match=r"expected the plugin house-plugins==2\.0 in .*, found 1\.0"):
            client.score(answers[:1], {"program": "x=1\n", "options": {"plugins": {"house-plugins": "2.0"}}})
    with codelinter.Client(verdict="official") as client:
        assert all("the options name plugins of flake8" in str(score) for score in client.try_score(answers, task))
    monkeypatch.setenv("CODELINTER_PLUGINS", str(site))
    client = codelinter.default_client(verdict="official")
    assert [score.reward for score in client.score(answers, task)] == [1.0, 0.0]
    assert codelinter.default_client(verdict="official", plugins=(str(site),)) is client


def test_lint(real: codelinter.Client) -> None:
    assert real.lint("x=1\n") == [codelinter.Finding("E225", 1, 2, 1, 1, "missing whitespace around operator")]
    assert real.lint("x = 1\n") == []
    assert real.lint("x = '%s'\n" % ("a" * 90), max_line_length=100) == []
    assert [f.code for f in real.lint("import os\nx=1\n", select=["F"])] == ["F401"]
    with pytest.raises(codelinter.Error, match="max-line"):
        real.lint("x = 1\n", max_line="long")
    assert [f.code for f in asyncio.run(real.alint("x=1\n"))] == ["E225"]


def test_check_edit(real: codelinter.Client) -> None:
    edit = real.check_edit("x=1\ny = 2\n", "x=1\ny=2\n")
    assert [(f.code, f.row) for f in edit.new] == [("E225", 2)]
    assert (edit.gone, edit.found, edit.tree, edit.meaning, edit.proof) == ((), 2, "same", "same", "tree")
    before = "def f(a):\n    return a + 1\n"
    edit = real.check_edit(before, before.replace("1", "2"), run=False)
    assert (edit.new, edit.tree, edit.meaning, edit.reasons) == ((), "other", "unknown", ())
    assert real.check_edit(before, before.replace("1", "2")).meaning == "other"
    assert real.check_edit("", "x = '%s'\n" % ("a" * 90), name="a.py", max_line_length=100).new == ()
    with pytest.raises(codelinter.Error, match="after: expected a text, found int"):
        real.check_edit("", 1)  # type: ignore[arg-type]
    with pytest.raises(codelinter.Error, match="max-line"):
        real.check_edit("", "", max_line="long")


def test_without_a_binary(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CODELINTER_BINARY", str(tmp_path / "none"))
    with pytest.raises(codelinter.Error, match="CODELINTER_BINARY: expected the path of a file"):
        codelinter.Client().score([CLEAN])
    with pytest.raises(codelinter.Error, match="cannot start the child"):
        codelinter.Client(binary=str(tmp_path / "none")).score([CLEAN])


@POSIX
@pytest.mark.parametrize(
    ("content", "mode", "problem"),
    [
        (b"#!/bin/sh\n", 0o644, "cannot start the child: .*Permission denied"),
        (b"\x7fELF\x02\x01\x01" + bytes(100), 0o755, "cannot start the child: .*Exec format error"),
        (b"#!/bin/sh\nexec cat\n", 0o755, "a reply of another kind"),
        (
            b"#!/bin/sh\necho no such command; exec cat\n",
            0o755,
            "expected replies with ids of ours, found 'no such command'",
        ),
    ],
)
def test_another_binary(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes, mode: int, problem: str
) -> None:
    """One that cannot be run, is for another system, or is another program, is an error and not a reward."""
    binary = tmp_path / "codelinter"
    binary.write_bytes(content)
    binary.chmod(mode)
    monkeypatch.setenv("CODELINTER_BINARY", str(binary))
    with codelinter.Client() as client, pytest.raises(codelinter.Error, match=problem):
        client.score([CLEAN])


@POSIX
def test_the_command(tmp_path: Path) -> None:
    """`python -m codelinter` is the binary's command; a binary that is missing or cannot be run is told in a line."""
    binary = tmp_path / "codelinter"
    binary.write_bytes(b"")
    for named, code, said in (
        (codelinter.find_binary(), 1, "t.py:1:2: E225"),
        (str(tmp_path / "none"), 2, "codelinter: CODELINTER_BINARY: expected the path of a file"),
        (str(binary), 2, f"codelinter: cannot start {binary}: "),
    ):
        (tmp_path / "t.py").write_text("x=1\n", encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "codelinter", "check", "t.py"],
            cwd=tmp_path,
            env={**os.environ, "CODELINTER_BINARY": named, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout.count("\n")) == (code, 1)
        assert done.stdout.startswith(said)


def test_without_threads(monkeypatch: pytest.MonkeyPatch, real: codelinter.Client) -> None:
    """A machine that has no thread left for us is an error, and no call waits for ever; later there may be one."""
    start = threading.Thread.start
    for name in ("codelinter-stderr", "codelinter-writer", "codelinter-reader"):

        def refuse(thread: threading.Thread, name: str = name) -> None:
            if thread.name == name:
                raise RuntimeError("can't start new thread")
            start(thread)

        monkeypatch.setattr(threading.Thread, "start", refuse)
        with codelinter.Client(verdict="official") as client:
            with pytest.raises(codelinter.Error, match="cannot start the child: can't start new thread"):
                client.score([CLEAN])
            monkeypatch.setattr(threading.Thread, "start", start)
            assert client.score([CLEAN])[0].official


def test_an_interrupt_while_the_child_starts(monkeypatch: pytest.MonkeyPatch, real: codelinter.Client) -> None:
    started = subprocess.Popen

    def interrupt(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(subprocess, "Popen", interrupt)
    with pytest.raises(KeyboardInterrupt):
        real.score([CLEAN])
    monkeypatch.setattr(subprocess, "Popen", started)
    assert real.score([CLEAN])[0].official


@POSIX
def test_a_handler_of_signals_ends_a_call(fake: Fake) -> None:
    """verl's compute_score_timeout raises TimeoutError by SIGALRM, which is what a wait of Python raises too."""

    def handler(*_: Any) -> None:
        raise TimeoutError("the trainer's")

    client = fake("hangs", timeout=3600)
    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with pytest.raises(TimeoutError, match="the trainer's"):
            client.score([CLEAN])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@POSIX
@pytest.mark.parametrize(
    ("program", "printed"),
    [
        ("client.score([CLEAN]); atexit.register(score)", "1.0"),
        ("atexit.register(score)", "1.0"),
        ("client.close(); atexit.register(score)", "the client is closed"),
        ("client.score([CLEAN]); threading.Thread(target=work, daemon=True).start(); time.sleep(0.3); print(0)", "0"),
        ("os.close(0); os.close(2); score()", "1.0"),
    ],
)
def test_the_end_of_a_program(program: str, printed: str) -> None:
    """Calls in atexit, by a daemon thread that is in the middle of one, and without standard files: none hangs."""
    beginning = f"""
import atexit, os, threading, time
import codelinter
CLEAN = {CLEAN!r}
client = codelinter.Client(verdict="official")
def score():
    try:
        print(client.score([CLEAN])[0].reward)
    except codelinter.Error as error:
        print(error)
def work():
    while True:
        client.score([CLEAN] * 20_000)
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", beginning + program], env=environment, capture_output=True, timeout=HANG, check=True
    )
    assert done.stdout.decode().strip() == printed


# The child misbehaves.


def test_refused_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A child that refuses its settings is not started again, and its reason is the error's."""
    missing = tmp_path / "none.jsonl"
    with (
        codelinter.Client(tasks=str(missing)) as client,
        pytest.raises(codelinter.Error, match=rf"^open {re.escape(str(missing))}: "),
    ):
        client.score(["x = 1\n"])
    with (
        codelinter.Client(plugins=missing) as client,
        pytest.raises(codelinter.Error, match=rf"^expected a folder of .*: open {re.escape(str(missing))}: "),
    ):
        client.score(["x = 1\n"])
    monkeypatch.setenv("CODELINTER_SEED", "abc")
    with (
        codelinter.Client() as client,
        pytest.raises(codelinter.Error, match=r"^CODELINTER_SEED: expected a whole number$"),
    ):
        client.score(["x = 1\n"])


@pytest.mark.parametrize(
    ("kind", "problem"),
    [
        ("exits", "died 4 times on a request: it ended with exit code 2: expected a command, found stream"),
        ("dies", "died 4 times on a request: it was killed by signal 9"),
        ("babbles", "died 4 times on a request: expected replies with ids of ours, found 'what is this'"),
        ("refuses", "expected something else"),
        ("old", 'unknown key "details": expected a binary of this package\'s version'),
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
    with pytest.raises(codelinter.Error, match=r"did not answer within 2 s, and was killed"):
        client.score([CLEAN])
    with pytest.raises(codelinter.Error, match=r"did not answer within 2 s, and was killed"):
        asyncio.run(client.ascore([CLEAN]))
    assert time.monotonic() - begin >= 4.0


def test_when_a_line_is_given_up(fake: Fake) -> None:
    """The first reply of a child may take four times the timeout, none after that longer, nor be overtaken for long.

    The times are given, and not waited for.
    """
    session = fake()._session

    def due(sent: float, allowed: float, first: float, last: float, told: float = -math.inf) -> float:
        child: Any = SimpleNamespace(first_reply=first, last_reply=last, told=told)
        line = Line(b"", 10)
        line.sent, line.allowed = sent, allowed
        return session._due(child, line)

    assert due(sent=100, allowed=20, first=0, last=90) == 140, "the first reply"
    assert due(sent=90, allowed=20, first=0, last=100) == 140, "sent before the child was there"
    assert due(sent=100, allowed=20, first=130, last=130) == 140, "silent for the timeout"
    assert due(sent=100, allowed=20, first=101, last=118) == 121, "others overtake it"
    assert due(sent=200, allowed=500, first=101, last=118) == 210, "silent since it was sent"
    assert due(sent=200, allowed=500, first=101, last=118, told=201) == 241, "it said that something takes long"
    assert due(sent=300, allowed=500, first=101, last=290, told=201) == 310, "and is done with that"


@POSIX
def test_a_child_that_is_stopped(real: codelinter.Client) -> None:
    """A stopped child reads nothing: more than a pipe holds waits for it, and still the call ends."""
    client = codelinter.Client(verdict="official")
    assert client.score([CLEAN])[0].official
    stopped = client.pid
    assert stopped is not None
    os.kill(stopped, signal.SIGSTOP)
    client.timeout = 1
    with pytest.raises(codelinter.Error, match="did not answer within 1 s"):
        client.score(["x = 1\n" * 20_000] * 40)
    client.timeout = 30
    assert client.score([CLEAN])[0].official
    assert client.pid != stopped
    client.close()


@POSIX
def test_a_child_that_is_killed_again_and_again(real: codelinter.Client) -> None:
    """Each score is there once and right, whoever was killed meanwhile."""
    stop, scored = threading.Event(), threading.Event()
    kills = 0

    def kill() -> None:
        """Kills once for each score at the most, so that a machine of any speed comes to scores."""
        nonlocal kills
        while scored.wait() and not stop.is_set():
            scored.clear()
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
            scored.set()
            assert [s.official for s in scores] == good

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(score, range(8)))
    finally:
        stop.set()
        scored.set()
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


def test_a_loop_goes_on_meanwhile(fake: Fake, tmp_path: Path) -> None:
    """The child answers when the loop has made some turns, which it could not if it were blocked."""
    gate = tmp_path / "gate"
    client = fake(f"waits for {gate}")

    async def main() -> None:
        scoring = asyncio.ensure_future(client.ascore(["good"]))
        for _ in range(10):
            await asyncio.sleep(0.01)
        assert not scoring.done()
        gate.touch()
        assert (await scoring)[0].official

    asyncio.run(main())


def test_sync_calls_within_a_loop(real: codelinter.Client) -> None:
    async def main() -> bool:
        return real.score([CLEAN])[0].official and (await real.ascore([CLEAN]))[0].official

    assert asyncio.run(main())


def test_a_call_that_is_cancelled(fake: Fake, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    client = fake(f"waits for {gate}")

    async def main() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(client.ascore(["good"]), 0.1)
        gate.touch()
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
    found = [replies.get(timeout=HANG) for _ in workers]
    for worker in workers:
        worker.join(HANG)
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
@pytest.mark.parametrize(
    "end",
    [
        *("", "os._exit(3)", "os.kill(os.getpid(), 9)", "raise SystemExit", "del client"),
        # In the middle of a request whose reply, which nobody reads, would take minutes.
        "threading.Thread(target=client.score, args=(ENDLESS, TASK)).start(); time.sleep(0.5); os.kill(os.getpid(), 9)",
    ],
)
def test_the_child_goes_with_its_parent(end: str) -> None:
    """Even where a process that was forked off lives on."""
    program = f"""
import os, sys, threading, time
import codelinter
ENDLESS = [f"def f():\\n    while True:\\n        x = {{{{i}}}}\\n" for i in range(640)]
TASK = {{{{"program": "def f():\\n    return  1\\n", "tests": ["assert f() == 1"]}}}}
client = codelinter.Client(reward="tests")
client.score(["x = 1"])
print(client.pid, flush=True)
if os.fork() == 0:
    sys.stdout = None; os.close(1)
    os.read({{lives}}, 1)
    os._exit(0)
{end}
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    lives, ends = os.pipe()  # the forked process lives until the other end is closed
    try:
        done = subprocess.run(
            [sys.executable, "-c", program.format(lives=lives)],
            env=environment,
            stdout=subprocess.PIPE,
            pass_fds=[lives],
            check=False,
        )
        pid = int(done.stdout)
        for _ in range(600):
            if not _alive(pid):
                return
            time.sleep(0.1)
        pytest.fail("the child lives on")
    finally:
        os.close(lives)
        os.close(ends)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
def test_the_child_goes_with_its_client() -> None:
    """Whether it is dropped or in a cycle that the garbage collector finds."""
    for cycle in (False, True):
        client = codelinter.Client(verdict="official")
        assert client.score([CLEAN])[0].official
        pid = client.pid
        assert pid is not None
        if cycle:
            client.itself = client  # type: ignore[attr-defined]
        del client
        gc.collect()
        assert not _alive(pid)


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
    rows = [task()]
    by_rows = codelinter.default_client(tasks=rows)
    assert by_rows is codelinter.default_client(tasks=rows)
    assert by_rows is not codelinter.default_client(tasks=[task()])
    assert by_rows.score([CLEAN], [7])[0].official
    monkeypatch.setenv("CODELINTER_TIMEOUT", "soon")
    with pytest.raises(codelinter.Error, match="CODELINTER_TIMEOUT: expected a number, found 'soon'"):
        codelinter.default_client()
