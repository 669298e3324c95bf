"""What codelinter.ray does with batches and files; runs with Ray itself are in real/ray_data.py."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

import pytest

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

from codelinter import Error, _shards  # noqa: E402
from codelinter import ray as codelinter_ray  # noqa: E402
from codelinter._keep import Keep  # noqa: E402

CLEAN = "x = 1\n"
TASK = json.dumps({"program": "x=1\n"})
FAULTY = "x=1\n"


def test_score_of_a_batch() -> None:
    score = codelinter_ray.Score(verdict="official")
    bad = json.dumps({"inputs": {"code": 1}})
    batch = pa.table(
        {"id": ["a", "b", "c", "d"], "completion": [CLEAN, FAULTY, None, CLEAN], "task": [TASK, TASK, TASK, bad]}
    )
    found = score(batch)
    assert found.column_names == ["id", "completion", "task", *codelinter_ray.SCORE_COLUMNS]
    assert found.column("reward").to_pylist() == [1.0, 0.0, None, None]
    assert found.column("findings").to_pylist() == [0, 1, None, None]
    errors = found.column("error").to_pylist()
    assert errors[:2] == ["", ""]
    assert "expected a text" in errors[2]
    assert "inputs.code" in errors[3]
    empty = score(batch.slice(0, 0))
    assert empty.schema == found.schema
    # A row whose columns name no task has none by mistake; without such columns there is none on purpose.
    missing = score(pa.table({"completion": [CLEAN] * 2, "task": [None, ""], "task_id": [None, None]}))
    assert missing.column("reward").to_pylist() == [None, None]
    assert "an id or NO_TASK, found None" in missing.column("error").to_pylist()[0]
    assert score(batch.select(["completion"])).column("reward").to_pylist() == [1.0, 0.0, None, 1.0]
    with pytest.raises(Error, match="expected a column 'completion' or 'outputs', found id"):
        score(batch.select(["id"]))


def test_score_of_samples() -> None:
    """A row with several answers becomes one for each."""
    batch = pa.table({"id": ["a", "b", "c"], "outputs": [[CLEAN, FAULTY], [], [FAULTY]]})
    found = codelinter_ray.Score(verdict="official")(batch.slice(0))
    assert found.column("id").to_pylist() == ["a", "a", "c"]
    assert found.column("sample").to_pylist() == [0, 1, 0]
    assert found.column("official").to_pylist() == [True, False, False]


def test_keep() -> None:
    codes = {"E501": 2, "F401": 1}
    program = "x = 1\n" * 100
    for text, kept in (
        ("not E999 and density < 0.05", True),
        ("not E", False),
        ("E501 + F <= 3 and lines == 100", True),
        ("findings > 2 or bytes < 10", True),
        ("0 < W", False),
        ("(F401 or W6) and not (E5 > 2)", True),
        ("-E501 < 0 < density * 1000 - 1", True),
    ):
        assert Keep(text)(codes, program) is kept, text
        assert pickle.loads(pickle.dumps(Keep(text)))(codes, program) is kept  # noqa: S301
    for text in (
        "",
        "E999 and",
        "__import__('os')",
        "densty < 1",
        "findings.real",
        "'a'",
        "x[0]",
        "1 if E else 2",
        "9**9",
    ):
        with pytest.raises(Error, match="keep: expected codes such as E999"):
            Keep(text)


def test_lint_of_a_shard(tmp_path: Path) -> None:
    rows = [
        {"id": str(i), "code": code}
        for i, code in enumerate([CLEAN, FAULTY, "x = (", None, CLEAN * 9, "y" * (2 << 20)])
    ]
    (tmp_path / "in.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    (shard,) = _shards.shards_of(str(tmp_path / "in.jsonl"), 8 << 20)
    lint = codelinter_ray.LintShard(str(tmp_path), "not E999 and density < 1", "code", {"extend_ignore": ["F821"]}, 1)
    sums = lint({**shard, "name": "part-000000.parquet"})
    assert sums == {"name": "part-000000.parquet", "rows": 6, "kept": 2, "errors": 2}
    kept = pq.read_table(tmp_path / "part-000000.parquet")
    assert kept.column_names == ["id", "code", "findings", "density", "codes"]
    assert kept.column("id").to_pylist() == ["0", "4"]
    assert kept.column("codes").to_pylist() == ["{}", "{}"]
    with pytest.raises(Error, match="expected a column 'text', found id, code"):
        codelinter_ray.LintShard(str(tmp_path), None, "text", {}, 1)({**shard, "name": "x.parquet"})


def test_lint_of_a_batch() -> None:
    found = codelinter_ray.Lint(max_line_length=100)(pa.table({"code": [CLEAN, FAULTY]}))
    assert found.column("findings").to_pylist()[0] == []
    assert found.column("findings").to_pylist()[1][0]["code"] == "E225"


@pytest.mark.parametrize("size", [1, 2, 7, 30, 1000])
@pytest.mark.parametrize("end", ["", "\n"])
def test_every_line_is_in_one_shard(tmp_path: Path, size: int, end: str) -> None:
    rows: List[Dict[str, Any]] = [{"id": i if i % 2 else str(i), "completion": "é" * i} for i in range(9)]
    (tmp_path / "b.jsonl").write_text("\n\n".join(map(json.dumps, rows[:5])) + end, encoding="utf-8")
    (tmp_path / "a.jsonl").write_text("\n".join(json.dumps(row) for row in rows[5:]) + end, encoding="utf-8")
    (tmp_path / "_skipped").write_text("no rows", encoding="utf-8")
    tables = [_shards.read(shard, "completion") for shard in _shards.shards_of(str(tmp_path), size)]
    found = [row for table in tables if table.num_rows for row in table.to_pylist()]
    assert [{**row, "id": str(row["id"])} for row in found] == [
        {**row, "id": str(row["id"])} for row in rows[5:] + rows[:5]
    ]


def test_shards_of_parquet(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": list(range(10))}), tmp_path / "in.parquet", row_group_size=4)
    shards = _shards.shards_of(str(tmp_path / "in.parquet"), 1)
    assert [_shards.read(shard, "").num_rows for shard in shards] == [4, 4, 2]
    with pytest.raises(Error, match="expected a file or a folder, found none"):
        _shards.shards_of(str(tmp_path / "none"), 1)


def test_a_shard_that_is_no_json(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"id": 1}\n[]\n', encoding="utf-8")
    (shard,) = _shards.shards_of(str(tmp_path), 100)
    with pytest.raises(Error, match=r"in\.jsonl: byte 10: expected an object, found list"):
        _shards.read(shard, "")


def test_a_shard_s_file(tmp_path: Path) -> None:
    """It appears whole, without the answers, and is the one that a second run does not make again."""
    pq.write_table(pa.table({"id": ["a", "b"], "completion": [CLEAN, FAULTY]}), tmp_path / "in.parquet")
    out = tmp_path / "out"
    out.mkdir()
    (shard,) = _shards.shards_of(str(tmp_path / "in.parquet"), 1)
    work = codelinter_ray.ScoreShard(str(out), False, "completion", {"verdict": "official"})
    sums = work({**shard, "name": "part-000000.parquet"})
    assert sums == {"name": "part-000000.parquet", "rows": 2, "official": 1, "guarded": 0, "errors": 0}
    assert [path.name for path in out.iterdir()] == ["part-000000.parquet"]
    assert pq.read_table(out / "part-000000.parquet").column_names == ["id", *codelinter_ray.SCORE_COLUMNS]


def test_a_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    source, out = tmp_path / "in.jsonl", str(tmp_path / "out")
    source.write_text('{"id": 1}\n', encoding="utf-8")
    assert len(_shards.Folder(str(source), out, 100, {"verdict": "official"}).missing) == 1
    _shards.Folder(str(source), out, 100, {"verdict": "official"})
    with pytest.raises(Error, match=r'out: expected the output of .*"guarded".*, found that of .*"official"'):
        _shards.Folder(str(source), out, 100, {"verdict": "guarded"})
    source.write_text('{"id": 1}\n{"id": 2}\n', encoding="utf-8")
    with pytest.raises(Error, match="found that of"):
        _shards.Folder(str(source), out, 100, {"verdict": "official"})


#: Values of JSON, and whether a column of them keeps its type.
COLUMNS: List[Tuple[List[Any], bool]] = [
    ([1, 2, None], True),
    (["a", "b", None], True),
    ([1.5, None, 2.0], True),
    ([True, False, None], True),
    ([[1], [], None], True),
    ([{"a": 1}, None, {"a": 2}], True),
    ([1, "a", None], False),
    ([True, 1, 0], False),
    ([1 << 70, 1, 2], False),
    ([{"a": 1}, {"a": "b"}, None], False),
    ([{}, {"a": {}}, None], False),
    ([[1], 2, {"a": 3}], False),
    ([(1 << 60) + 1, 0.5, 1], False),
]


@pytest.mark.parametrize(("values", "kept"), COLUMNS)
@pytest.mark.parametrize("size", [1, 1000])
def test_a_row_keeps_its_types(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, values: List[Any], kept: bool, size: int
) -> None:
    """In one shard or in three: where Arrow has no type for all values, they are texts, and none is lost."""
    monkeypatch.setattr(codelinter_ray, "_mapped", in_this_process)
    rows = [{"id": i, "value": value, "completion": CLEAN} for i, value in enumerate(values)]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    source, out = str(tmp_path / "in.jsonl"), str(tmp_path / "out")
    codelinter_ray.score_files(source, out, shard_bytes=size, verdict="official")
    found = pq.read_table(out).sort_by("id").to_pylist()
    assert [row["id"] for row in found] == [0, 1, 2]
    texts = [value if value is None or isinstance(value, str) else json.dumps(value) for value in values]
    assert [row["value"] for row in found] == (values if kept else texts)


def test_columns_of_some_rows_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codelinter_ray, "_mapped", in_this_process)
    lines = ['{"completion": "x = 1\\n", "a": null}', '{"completion": "\\ud800", "a": {"b": 1}}']
    lines += ['{"completion": "x=1\\n", "a": {"c": 2}, "d": "\\udfff"}']
    (tmp_path / "in.jsonl").write_text("\n".join(lines), encoding="utf-8")
    codelinter_ray.score_files(str(tmp_path / "in.jsonl"), str(tmp_path / "out"), shard_bytes=1, keep=True)
    found = pq.read_table(tmp_path / "out").to_pylist()
    assert [row["a"] for row in found] == [None, {"b": 1, "c": None}, {"b": None, "c": 2}]
    assert [row["d"] for row in found] == [None, None, "\ufffd"]
    assert [row["completion"] for row in found] == ["x = 1\n", "\ufffd", "x=1\n"]


def in_this_process(missing: List[Any], worker: Any, arguments: Any, *_: Any) -> Iterator[Any]:
    """Is what Ray does, without Ray."""
    work = worker(*arguments)
    yield from map(work, missing)


def test_a_resumed_run_reports_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def first_two(missing: List[Any], *arguments: Any) -> Iterator[Any]:
        yield from in_this_process(missing[:2], *arguments)
        raise KeyboardInterrupt

    answers = [CLEAN, FAULTY, None, CLEAN, FAULTY]
    rows = [{"id": i, "completion": answer, "code": answer} for i, answer in enumerate(answers)]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row).ljust(59) + "\n" for row in rows), encoding="utf-8")
    source = str(tmp_path / "in.jsonl")
    whole = {"rows": 5, "errors": 1}
    for work, settings, expected in (
        (codelinter_ray.score_files, {"verdict": "official"}, {**whole, "official": 2, "guarded": 0}),
        (codelinter_ray.lint_files, {"keep": "not E"}, {**whole, "kept": 2, "rejected": 2}),
    ):
        out = str(tmp_path / work.__name__)
        monkeypatch.setattr(codelinter_ray, "_mapped", first_two)
        with pytest.raises(KeyboardInterrupt):
            work(source, out, shard_bytes=60, **settings)  # type: ignore[arg-type]
        monkeypatch.setattr(codelinter_ray, "_mapped", in_this_process)
        for _ in range(2):
            sums = work(source, out, shard_bytes=60, **settings)  # type: ignore[arg-type]
            assert (sums.pop("shards"), sums.pop("done")) == (5, 5)
            assert sums == expected


def test_what_has_no_reward_is_no_zero() -> None:
    """A row with an error, and one that is masked, have null, which a mean leaves out."""
    endless = json.dumps({"program": "x=1\nwhile True:\n    pass\n"})
    batch = pa.table(
        {"completion": ["x = 1\nwhile True:\n    x = 1\n", CLEAN, CLEAN], "task": [endless, "no such", TASK]}
    )
    found = codelinter_ray.Score(on_unknown="mask")(batch)
    assert found.column("reward").to_pylist() == [None, None, 1.0]
    assert found.column("masked").to_pylist() == [True, None, False]
    assert [bool(error) for error in found.column("error").to_pylist()] == [False, True, False]
