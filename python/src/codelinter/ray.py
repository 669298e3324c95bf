"""Scoring and linting on more than one machine, with Ray Data (made for ray 2.60).

In a pipeline of your own, in which a worker keeps a child:

    ds.map_batches(
        codelinter.ray.Score, batch_format="pyarrow",
        fn_constructor_kwargs={"verdict": "official"}, compute=ray.data.ActorPoolStrategy(size=8),
    )

From files to files, on this machine or on the cluster that RAY_ADDRESS names:

    python -m codelinter.ray score answers.parquet scores/ --tasks tasks.jsonl

Each shard of the input, a row group of Parquet or some MiB of JSONL, becomes one
file of the output, which appears when it is complete. So the same command resumes a
run. A worker that dies costs its shard's time. No row is in the output twice.

    python -m codelinter.ray lint corpus/ kept/ --keep "not E999 and density < 0.05"

filters a corpus of programs in the same way: see :class:`codelinter.ray.LintShard`.

For Spark, a function that ``DataFrame.mapInPandas`` takes:

    df.mapInPandas(codelinter.ray.in_pandas(verdict="official"), schema=...)
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple

import pyarrow as pa
import pyarrow.compute as pc

from . import _shards
from ._adapter import task_of, text_or_error
from ._client import Client
from ._error import Error
from ._keep import Keep
from ._settings import NO_TASK, NoTask

#: The columns that scoring adds, with their Arrow types. ``error`` is "" where there is a
#: score; where there is none it says why, and all the others are null. ``reward`` is also
#: null where ``masked`` is true: a mean leaves it out.
SCORE_COLUMNS = {
    "reward": "float64",
    "official": "bool",
    "guarded": "string",
    "proof": "string",
    "reasons": "list<string>",
    "findings": "int64",
    "fixed": "int64",
    "left": "int64",
    "introduced": "int64",
    "invalid": "bool",
    "empty": "bool",
    "noqa": "bool",
    "milliseconds": "float64",
    "masked": "bool",
    "error": "string",
}

_FINDINGS = pa.list_(
    pa.struct([("code", "string"), *((n, "int64") for n in ("row", "column", "start", "end")), ("message", "string")])
)


def _arrow_type(name: str) -> Any:
    return pa.list_(pa.string()) if name == "list<string>" else pa.type_for_alias(name)


class Score:
    """Adds the columns of :data:`SCORE_COLUMNS` to a batch, for ``map_batches`` with ``batch_format="pyarrow"``.

    A row has one answer in ``completion``, or several in ``outputs``, as in sample files.
    Each of several answers becomes a row, with its position in a column ``sample``. The
    task is in ``task``, or its id in ``task_id`` or, if ``tasks`` is set, in ``id``. Without
    such a column the answers are linted; a row whose columns are null has an error.

    Args:
        completion: the column with answers.
        settings: :class:`codelinter.Client`'s: ``verdict``, ``reward``, ``tasks``, ``timeout``, ``processors``.
    """

    def __init__(self, completion: str = "completion", **settings: Any) -> None:
        self.completion = completion
        self.has_tasks = settings.get("tasks") is not None
        self.client = Client(details=False, **settings)

    def __call__(self, batch: Any) -> Any:
        """Returns the batch, a pyarrow.Table, with the columns added."""
        if self.completion not in batch.column_names and "outputs" in batch.column_names:
            batch = _one_a_row(batch)
            answers = batch.column("outputs").to_pylist()
            batch = batch.drop_columns(["outputs"])
        elif self.completion in batch.column_names:
            answers = batch.column(self.completion).to_pylist()
        else:
            raise Error(f"expected a column {self.completion!r} or 'outputs', found {', '.join(batch.column_names)}")
        scores = self.client.try_score([text_or_error(answer) for answer in answers], self._tasks(batch))
        rows = [_row_of(score) for score in scores]
        columns = {
            name: pa.array([row.get(name) for row in rows], type=_arrow_type(kind))
            for name, kind in SCORE_COLUMNS.items()
        }
        return _shards.with_columns(batch, columns)

    def _tasks(self, batch: Any) -> Sequence[Any]:
        names = ["task", "task_id"] + (["id"] if self.has_tasks else [])
        columns = [batch.column(name).to_pylist() for name in names if name in batch.column_names]
        if not columns:
            return [NO_TASK] * batch.num_rows
        return [_without_missing(task_of(*candidates)) for candidates in zip(*columns)]


def _row_of(score: Any) -> Dict[str, Any]:
    """Returns the added columns of an answer."""
    if isinstance(score, Error):
        return {"error": str(score)}
    row = {name: getattr(score, name) for name in SCORE_COLUMNS if name not in ("findings", "error")}
    return {
        **row,
        "reward": None if score.masked else score.reward,
        "findings": score.found,
        "reasons": list(score.reasons),
        "error": "",
    }


def _without_missing(task: Any) -> Any:
    """Returns a task without the fields that it lacks: Arrow gives all objects of a column the fields of each."""
    if isinstance(task, Mapping):
        return {name: _without_missing(value) for name, value in task.items() if value is not None}
    return task


class Lint:
    """Adds a column ``findings`` to a batch with programs, for ``map_batches`` with ``batch_format="pyarrow"``.

    It is a list of structs with the fields of :class:`codelinter.Finding`.

    Args:
        code: the column with programs.
        options: flake8's, as for :meth:`codelinter.Client.lint`.
    """

    def __init__(self, code: str = "code", **options: Any) -> None:
        self.code = code
        self.options = options
        self.client = Client(verdict="official")

    def __call__(self, batch: Any) -> Any:
        """Returns the batch, a pyarrow.Table, with the column added."""
        found = self.client.lint_many(batch.column(self.code).to_pylist(), **self.options)
        column = pa.array([[finding._asdict() for finding in findings] for findings in found], type=_FINDINGS)
        return batch.append_column("findings", column)


def in_pandas(completion: str = "completion", **settings: Any) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """Returns a function from data frames to data frames with the columns of :data:`SCORE_COLUMNS`."""

    def score(frames: Iterable[Any]) -> Iterator[Any]:
        scorer = Score(completion, **settings)
        for frame in frames:
            yield scorer(pa.Table.from_pandas(frame, preserve_index=False)).to_pandas()

    return score


def _one_a_row(batch: Any) -> Any:
    """Returns a row for each item of ``outputs``, with its position in ``sample``."""
    outputs = batch.column("outputs").combine_chunks()
    parents = pc.list_parent_indices(outputs)
    rest = batch.drop_columns(["outputs"]).take(parents)
    places: List[int] = []
    last = -1
    for parent in parents.to_pylist():
        places.append(places[-1] + 1 if parent == last else 0)
        last = parent
    return rest.append_column("sample", pa.array(places, pa.int64())).append_column("outputs", pc.list_flatten(outputs))


# From files to files.


class LintShard:
    """Lints a shard of programs and writes the file of those that are kept; for ``ds.map``.

    It adds three columns to those of the input: ``findings``, their number; ``density``, the
    findings a line; and ``codes``, the number of each code as JSON. A row without text, or
    with a text that is too large, is not kept and counts as an error.
    """

    sums = ("rows", "kept", "errors")

    def __init__(self, out: str, keep: Optional[str], code: str, options: Dict[str, Any], processors: int) -> None:
        self.out = out
        self.keep = None if keep is None else Keep(keep)
        self.code = code
        self.options = options
        self.client = Client(verdict="official", processors=processors)

    def __call__(self, shard: Dict[str, Any]) -> Dict[str, Any]:
        """Returns the shard's name and sums."""
        table = _shards.read(shard, self.code)
        if self.code not in table.column_names:
            raise Error(f"expected a column {self.code!r}, found {', '.join(table.column_names)}")
        programs = table.column(self.code).to_pylist()
        places: List[int] = []
        counts: List[Dict[str, int]] = []
        errors = 0
        for i, findings in enumerate(self.client.try_lint(programs, **self.options)):
            if isinstance(findings, Error):
                errors += 1
                continue
            codes: Dict[str, int] = {}
            for finding in findings:
                codes[finding.code] = codes.get(finding.code, 0) + 1
            if self.keep is None or self.keep(codes, programs[i]):
                places.append(i)
                counts.append(codes)
        sizes = [sum(codes.values()) for codes in counts]
        lines = [max(len(programs[i].splitlines()), 1) for i in places]
        added = {
            "findings": pa.array(sizes, pa.int64()),
            "density": pa.array([n / of for n, of in zip(sizes, lines)], pa.float64()),
            "codes": pa.array([json.dumps(codes, sort_keys=True) for codes in counts], pa.string()),
        }
        sums = {"rows": table.num_rows, "kept": len(places), "errors": errors}
        kept = _shards.with_columns(table.take(pa.array(places, pa.int64())), added)
        _shards.write_with_sums(kept, self.out, shard["name"], sums)
        return {"name": shard["name"], **sums}


class ScoreShard:
    """Scores a shard and writes its file, which appears when it is complete; for ``ds.map``."""

    sums = ("rows", "official", "guarded", "errors")

    def __init__(self, out: str, keep: bool, completion: str, settings: Dict[str, Any]) -> None:
        self.out = out
        self.keep = keep
        self.score = Score(completion, **settings)

    def __call__(self, shard: Dict[str, Any]) -> Dict[str, Any]:
        """Returns the shard's name and sums."""
        table = self.score(_shards.read(shard, self.score.completion))
        if not self.keep:
            table = table.drop_columns([n for n in (self.score.completion, "task") if n in table.column_names])
        sums = {
            "rows": table.num_rows,
            "official": pc.sum(table.column("official")).as_py() or 0,
            "guarded": pc.sum(pc.equal(table.column("guarded"), "pass")).as_py() or 0,
            "errors": pc.sum(pc.not_equal(table.column("error"), "")).as_py() or 0,
        }
        _shards.write_with_sums(table, self.out, shard["name"], sums)
        return {"name": shard["name"], **sums}


Progress = Callable[[Dict[str, int]], None]


def score_files(
    source: str,
    out: str,
    actors: Optional[int] = None,
    cpus: float = 1,
    shard_bytes: int = 8 << 20,
    keep: bool = False,
    completion: str = "completion",
    progress: Progress = lambda _: None,
    **settings: Any,
) -> Dict[str, int]:
    """Scores files into the folder out, a file for each shard that has none there yet.

    It returns the sums over all shards, including those of earlier runs.

    Args:
        source: a file or a folder of JSONL or Parquet, as a path or a URI that pyarrow knows (``s3://``).
        out: a folder. Whatever machine a worker is on, it must see both.
        actors: how many workers, each with a child; None is as many as the cluster has cores for.
        cpus: how many cores each has, its child included.
        shard_bytes: the size of shards of JSONL.
        keep: whether the output has the answers too.
        completion: the column with answers.
        progress: called with the sums of this run so far after each shard.
        settings: :class:`codelinter.Client`'s.
    """
    settings.setdefault("processors", max(1, int(cpus)))
    named = {name: settings.get(name) for name in ("verdict", "reward", "on_unknown")}
    plan = {"score": {**named, "tasks": _digest(settings.get("tasks")), "completion": completion, "keep": keep}}
    folder = _shards.Folder(source, out, shard_bytes, json.loads(json.dumps(plan, default=repr)))
    return _processed(folder, ScoreShard, (out, keep, completion, settings), actors, cpus, progress)


def _digest(tasks: Any) -> Optional[str]:
    """Returns what tells tasks apart: of a file a digest of its bytes."""
    if tasks is None or isinstance(tasks, NoTask):
        return None if tasks is None else tasks.value
    if isinstance(tasks, (str, os.PathLike)):
        path = Path(tasks)
        return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else str(tasks)
    return hashlib.sha256(repr(tasks).encode(errors="replace")).hexdigest()


def lint_files(
    source: str,
    out: str,
    keep: Optional[str] = None,
    actors: Optional[int] = None,
    cpus: float = 1,
    shard_bytes: int = 8 << 20,
    code: str = "code",
    progress: Progress = lambda _: None,
    **options: Any,
) -> Dict[str, int]:
    """Filters the programs of files into the folder out, a file for each shard that has none there yet.

    It returns the sums over all shards, including those of earlier runs. Rows that were
    read are kept, rejected, or could not be linted (``errors``).

    Args:
        source: a file or a folder of JSONL or Parquet, as a path or a URI that pyarrow knows (``s3://``).
        out: a folder. Whatever machine a worker is on, it must see both.
        keep: the condition on which a program is kept, such as ``"not E999 and density < 0.05"``; None keeps all.
        actors: how many workers, each with a child; None is as many as the cluster has cores for.
        cpus: how many cores each has, its child included.
        shard_bytes: the size of shards of JSONL.
        code: the column with programs.
        progress: called with the sums of this run so far after each shard.
        options: flake8's, as for :meth:`codelinter.Client.lint`.
    """
    if keep is not None:
        Keep(keep)  # or every worker finds that it is none
    folder = _shards.Folder(source, out, shard_bytes, {"lint": {"keep": keep, "code": code, "options": options}})
    arguments = (out, keep, code, options, max(1, int(cpus)))
    sums = _processed(folder, LintShard, arguments, actors, cpus, progress)
    return {**sums, "rejected": sums["rows"] - sums["kept"] - sums["errors"]}


def _processed(
    folder: _shards.Folder,
    worker: Any,
    arguments: Tuple[Any, ...],
    actors: Optional[int],
    cpus: float,
    progress: Progress,
) -> Dict[str, int]:
    """Lets workers make the missing files of a folder, and returns the sums over all of its files."""
    count = len(folder.names)
    sums = {"shards": count, "done": count - len(folder.missing), **dict.fromkeys(worker.sums, 0)}
    for row in _mapped(folder.missing, worker, arguments, actors, cpus):
        sums["done"] += 1
        for name in worker.sums:
            sums[name] += row[name]
        progress(sums)
    folder.unify()
    # Of what is in the folder: a shard that was done twice is there once, and earlier runs have theirs there too.
    return {**sums, **folder.sums(worker.sums)}


def _mapped(
    missing: List[Dict[str, Any]], worker: Any, arguments: Tuple[Any, ...], actors: Optional[int], cpus: float
) -> Iterator[Dict[str, Any]]:
    """Lets workers process the shards, and yields the result of each shard."""
    if not missing:
        return
    import ray

    if not ray.is_initialized():
        if os.environ.get("RAY_ADDRESS"):
            ray.init(log_to_driver=False)
        else:
            ray.init(log_to_driver=False, include_dashboard=False)  # which takes seconds to start
    if actors is None:
        actors = max(1, int(ray.cluster_resources().get("CPU", 1) // cpus))
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    done = ray.data.from_items(missing, override_num_blocks=len(missing)).map(
        worker,
        fn_constructor_args=arguments,
        compute=ray.data.ActorPoolStrategy(size=min(actors, len(missing))),
        num_cpus=cpus,
    )
    yield from done.iter_rows()


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs the command line and returns its exit code: 1 if a row could not be scored, 2 if none could."""
    parser = argparse.ArgumentParser(
        prog="python -m codelinter.ray",
        description="Score answers or filter programs, in JSONL or Parquet, here or on the cluster of RAY_ADDRESS.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    score = commands.add_parser("score", help="score answers")
    lint = commands.add_parser("lint", help="filter programs by what flake8 finds in them")
    for command, column, default in ((score, "completion", "the answers"), (lint, "code", "the programs")):
        command.add_argument("source", metavar="IN", help="a file or a folder of JSONL or Parquet; a path or a URI")
        command.add_argument(
            "out", metavar="OUT", help="a folder, into which a file of Parquet is written for each shard"
        )
        command.add_argument(f"--{column}", default=column, metavar="COLUMN", help=f"{default} (%(default)s)")
        command.add_argument("--actors", type=int, metavar="N", help="workers (default: one for each --cpus)")
        command.add_argument("--cpus", type=float, default=1, metavar="N", help="cores of a worker (%(default)s)")
        command.add_argument(
            "--shard-mib", type=float, default=8, metavar="N", help="size of shards of JSONL (%(default)s)"
        )
    lint.add_argument("--keep", metavar="CONDITION", help='such as "not E999 and density < 0.05" (default: keep all)')
    lint.add_argument(
        "--options", type=json.loads, default={}, metavar="JSON", help='flake8\'s: {"max_line_length": 100}'
    )
    score.add_argument("--tasks", metavar="FILE", help="tasks that the rows name by id (default: the open set)")
    score.add_argument("--verdict", choices=("guarded", "official"), default="guarded")
    score.add_argument("--reward", choices=("binary", "shaped"), default="binary")
    score.add_argument("--on-unknown", choices=("zero", "mask", "official"), default="zero")
    score.add_argument("--timeout", type=float, default=60.0, metavar="SECONDS", help="for one answer (%(default)s)")
    score.add_argument("--keep", action="store_true", help="have the answers in the output too")
    o = parser.parse_args(arguments)

    begin = time.monotonic()
    told = begin

    def progress(sums: Dict[str, int]) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told < (1 if sys.stderr.isatty() else 10) and sums["done"] < sums["shards"]:
            return
        told = now
        rate = sums["rows"] / (now - begin)
        print(f"{sums['done']} of {sums['shards']} shards, {sums['rows']} rows, {rate:.0f} rows/s", file=sys.stderr)

    shard_bytes = max(1, int(o.shard_mib * (1 << 20)))
    try:
        if o.command == "lint":
            if not isinstance(o.options, dict):
                raise Error(f"--options: expected an object of JSON, found {o.options!r:.100}")
            sums = lint_files(
                o.source,
                o.out,
                o.keep,
                actors=o.actors,
                cpus=o.cpus,
                shard_bytes=shard_bytes,
                code=o.code,
                progress=progress,
                **o.options,
            )
            print(json.dumps({**sums, "seconds": round(time.monotonic() - begin, 3)}))
            return 0  # what cannot be linted is not kept, which is what was asked for
        sums = score_files(
            o.source,
            o.out,
            actors=o.actors,
            cpus=o.cpus,
            shard_bytes=shard_bytes,
            keep=o.keep,
            completion=o.completion,
            progress=progress,
            tasks=None if o.tasks is None else (o.tasks if "://" in o.tasks else str(Path(o.tasks).absolute())),
            verdict=o.verdict,
            reward=o.reward,
            on_unknown=o.on_unknown,
            timeout=o.timeout,
        )
    except Error as error:
        print(f"codelinter: {error}", file=sys.stderr)
        return 2
    print(json.dumps({**sums, "seconds": round(time.monotonic() - begin, 3)}))
    return 1 if sums["errors"] else 0


if __name__ == "__main__":
    # Ray's workers import the class by the module's name, not as __main__.
    from codelinter.ray import main as run

    sys.exit(run())
