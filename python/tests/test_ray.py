"""What codelinter.ray does with batches and files; runs with Ray itself are in real/ray_data.py."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any, Dict, List

import pytest

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

from codelinter import Error  # noqa: E402
from codelinter import ray as codelinter_ray  # noqa: E402
from codelinter._keep import Keep  # noqa: E402

CLEAN = "x = 1\n"
FAULTY = "x=1\n"


def test_score_of_a_batch() -> None:
    score = codelinter_ray.Score(verdict="official")
    bad = json.dumps({"inputs": {"code": 1}})
    batch = pa.table(
        {"id": ["a", "b", "c", "d"], "completion": [CLEAN, FAULTY, None, CLEAN], "task": [None, "", "", bad]}
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
    (shard,) = codelinter_ray.shards_of(str(tmp_path / "in.jsonl"), 8 << 20)
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
    tables = [codelinter_ray._read_shard(shard) for shard in codelinter_ray.shards_of(str(tmp_path), size)]
    found = [row for table in tables if table.num_rows for row in table.to_pylist()]
    assert found == [{**row, "id": str(row["id"])} for row in rows[5:] + rows[:5]]


def test_shards_of_parquet(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": list(range(10))}), tmp_path / "in.parquet", row_group_size=4)
    shards = codelinter_ray.shards_of(str(tmp_path / "in.parquet"), 1)
    assert [codelinter_ray._read_shard(shard).num_rows for shard in shards] == [4, 4, 2]
    with pytest.raises(Error, match="expected a file or a folder, found none"):
        codelinter_ray.shards_of(str(tmp_path / "none"), 1)


def test_a_shard_that_is_no_json(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"id": 1}\n[]\n', encoding="utf-8")
    (shard,) = codelinter_ray.shards_of(str(tmp_path), 100)
    with pytest.raises(Error, match=r"in\.jsonl: byte 10: expected an object, found list"):
        codelinter_ray._read_shard(shard)


def test_a_shard_s_file(tmp_path: Path) -> None:
    """It appears whole, without the answers, and is the one that a second run does not make again."""
    pq.write_table(pa.table({"id": ["a", "b"], "completion": [CLEAN, FAULTY]}), tmp_path / "in.parquet")
    out = tmp_path / "out"
    out.mkdir()
    (shard,) = codelinter_ray.shards_of(str(tmp_path / "in.parquet"), 1)
    work = codelinter_ray.ScoreShard(str(out), False, "completion", {"verdict": "official"})
    sums = work({**shard, "name": "part-000000.parquet"})
    assert sums == {"name": "part-000000.parquet", "rows": 2, "official": 1, "guarded": 0, "errors": 0}
    assert [path.name for path in out.iterdir()] == ["part-000000.parquet"]
    assert pq.read_table(out / "part-000000.parquet").column_names == ["id", *codelinter_ray.SCORE_COLUMNS]


def test_a_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    system, folder = codelinter_ray._filesystem(str(tmp_path))
    codelinter_ray._same_plan(system, f"{folder}/_plan.json", b"one", "out")
    codelinter_ray._same_plan(system, f"{folder}/_plan.json", b"one", "out")
    with pytest.raises(Error, match="out: expected the output of two, found that of one"):
        codelinter_ray._same_plan(system, f"{folder}/_plan.json", b"two", "out")
