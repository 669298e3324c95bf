"""Scoring and linting on more than one machine, with Ray Data (made for ray 2.60).

In a pipeline of your own, in which a worker keeps a child:

    ds.map_batches(
        codelinter.ray.Score, batch_format="pyarrow",
        fn_constructor_kwargs={"verdict": "official"}, compute=ray.data.ActorPoolStrategy(size=8),
    )

From files to files, on this machine or on the cluster that RAY_ADDRESS names, see docs/scale.md:

    python -m codelinter.ray score answers.parquet scores/ --tasks tasks.jsonl
    python -m codelinter.ray lint corpus/ kept/ --keep "not E999 and density < 0.05"

For Spark, a function that ``DataFrame.mapInPandas`` takes:

    df.mapInPandas(codelinter.ray.in_pandas(verdict="official"), schema=...)
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, Callable, ClassVar, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple

import pyarrow as pa
import pyarrow.compute as pc

from . import _shards
from ._adapter import task_of, text_or_error
from ._client import Client
from ._error import Error
from ._keep import Keep
from ._settings import NO_TASK, ON_UNKNOWN, VERDICTS, NoTask

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


class _Shard:
    """Makes a table of each shard and writes its file, which appears when it is complete; for ``ds.map``."""

    #: The names of the sums that each shard has.
    sums: ClassVar[Tuple[str, ...]]

    def __init__(self, out: str, column: str) -> None:
        self.out = out
        self.column = column

    def __call__(self, shard: Dict[str, Any]) -> Dict[str, Any]:
        """Returns the shard's name and sums."""
        table, *sums = self.made(_shards.read(shard, self.column))
        _shards.write_with_sums(table, self.out, shard["name"], dict(zip(self.sums, sums)))
        return {"name": shard["name"], **dict(zip(self.sums, sums))}

    def made(self, table: Any) -> Tuple[Any, ...]:
        """Returns the output of a shard and its sums."""
        raise NotImplementedError


class LintShard(_Shard):
    """Lints a shard of programs and keeps some.

    It adds three columns to those of the input: ``findings``, their number; ``density``, the
    findings a line; and ``codes``, the number of each code as JSON. A row without text, or
    with a text that is too large, is not kept and counts as an error.
    """

    sums = ("rows", "kept", "errors")

    def __init__(self, out: str, keep: Optional[str], code: str, options: Dict[str, Any], processors: int) -> None:
        super().__init__(out, code)
        self.keep = None if keep is None else Keep(keep)
        self.options = options
        self.client = Client(verdict="official", processors=processors)

    def made(self, table: Any) -> Tuple[Any, ...]:
        """Returns the rows that are kept, and the sums."""
        if self.column not in table.column_names:
            raise Error(f"expected a column {self.column!r}, found {', '.join(table.column_names)}")
        programs = table.column(self.column).to_pylist()
        kept: Dict[int, Dict[str, int]] = {}
        errors = 0
        for i, findings in enumerate(self.client.try_lint(programs, **self.options)):
            if isinstance(findings, Error):
                errors += 1
                continue
            codes = dict(Counter(finding.code for finding in findings))
            if self.keep is None or self.keep(codes, programs[i]):
                kept[i] = codes
        sizes = [sum(codes.values()) for codes in kept.values()]
        lines = [max(len(programs[i].splitlines()), 1) for i in kept]
        added = {
            "findings": pa.array(sizes, pa.int64()),
            "density": pa.array([n / of for n, of in zip(sizes, lines)], pa.float64()),
            "codes": pa.array([json.dumps(codes, sort_keys=True) for codes in kept.values()], pa.string()),
        }
        rows = _shards.with_columns(table.take(pa.array([*kept], pa.int64())), added)
        return rows, table.num_rows, len(kept), errors


class ScoreShard(_Shard):
    """Scores a shard."""

    sums = ("rows", "official", "guarded", "errors")

    def __init__(self, out: str, keep: bool, completion: str, settings: Dict[str, Any]) -> None:
        super().__init__(out, completion)
        self.keep = keep
        self.score = Score(completion, **settings)

    def made(self, table: Any) -> Tuple[Any, ...]:
        """Returns the scores, and the sums."""
        table = self.score(table)
        if not self.keep:
            table = table.drop_columns([name for name in (self.column, "task") if name in table.column_names])
        official, guarded, error = (table.column(name) for name in ("official", "guarded", "error"))
        counted = (official, pc.equal(guarded, "pass"), pc.not_equal(error, ""))
        return table, table.num_rows, *(pc.sum(column).as_py() or 0 for column in counted)


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
        source, out, actors, cpus, shard_bytes, progress: as for :func:`score_files`.
        keep: the condition on which a program is kept, such as ``"not E999 and density < 0.05"``; None keeps all.
        code: the column with programs.
        options: flake8's, as for :meth:`codelinter.Client.lint`.
    """
    if keep is not None:
        Keep(keep)  # or every worker finds that it is none
    folder = _shards.Folder(source, out, shard_bytes, {"lint": {"keep": keep, "code": code, "options": options}})
    arguments = (out, keep, code, options, max(1, int(cpus)))
    sums = _processed(folder, LintShard, arguments, actors, cpus, progress)
    return {**sums, "rejected": sums["rows"] - sums["kept"] - sums["errors"]}


def _processed(
    folder: _shards.Folder, worker: Any, arguments: Tuple[Any, ...], actors: Any, cpus: float, progress: Progress
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
        # A dashboard of our own takes seconds to start.
        ray.init(log_to_driver=False, **({} if os.environ.get("RAY_ADDRESS") else {"include_dashboard": False}))
    if actors is None:
        actors = max(1, int(ray.cluster_resources().get("CPU", 1) // cpus))
    ray.data.DataContext.get_current().enable_progress_bars = False
    done = ray.data.from_items(missing, override_num_blocks=len(missing)).map(
        worker,
        fn_constructor_args=arguments,
        compute=ray.data.ActorPoolStrategy(size=min(actors, len(missing))),
        num_cpus=cpus,
    )
    yield from done.iter_rows()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m codelinter.ray",
        description="Score answers or filter programs, in JSONL or Parquet, here or on the cluster of RAY_ADDRESS.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    score = commands.add_parser("score", help="score answers")
    lint = commands.add_parser("lint", help="filter programs by what flake8 finds in them")
    for command, column, what in ((score, "completion", "the answers"), (lint, "code", "the programs")):
        add = command.add_argument
        add("source", metavar="IN", help="a file or a folder of JSONL or Parquet; a path or a URI")
        add("out", metavar="OUT", help="a folder, into which a file of Parquet is written for each shard")
        add(f"--{column}", default=column, metavar="COLUMN", help=f"{what} (%(default)s)")
        add("--actors", type=int, metavar="N", help="workers (default: one for each --cpus)")
        add("--cpus", type=float, default=1, metavar="N", help="cores of a worker (%(default)s)")
        add("--shard-mib", type=float, default=8, metavar="N", help="size of shards of JSONL (%(default)s)")
    lint.add_argument("--keep", metavar="CONDITION", help='such as "not E999 and density < 0.05" (default: keep all)')
    lint.add_argument(
        "--options", type=_options, default={}, metavar="JSON", help='flake8\'s: {"max_line_length": 100}'
    )
    score.add_argument("--tasks", type=_path, metavar="FILE", help="tasks that rows name by id (default: the open set)")
    score.add_argument("--verdict", choices=VERDICTS, default="guarded")
    score.add_argument("--reward", default="binary", help="see docs/rewards.md (%(default)s)")
    score.add_argument("--on-unknown", choices=ON_UNKNOWN, default="zero")
    score.add_argument("--timeout", type=float, default=60.0, metavar="SECONDS", help="for one answer (%(default)s)")
    score.add_argument("--keep", action="store_true", help="have the answers in the output too")
    return parser


def _path(text: str) -> str:
    return text if "://" in text else str(Path(text).absolute())


def _options(text: str) -> Dict[str, Any]:
    with contextlib.suppress(ValueError):
        options = json.loads(text)
        if isinstance(options, dict):
            return options
    raise argparse.ArgumentTypeError(f"expected an object of JSON, found {text!r:.100}")


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs the command line and returns its exit code: 1 if a row could not be scored, 2 if none could."""
    given = vars(_parser().parse_args(arguments))
    # What cannot be linted is not kept, which is what was asked for.
    of, is_failure = {"score": (score_files, "errors"), "lint": (lint_files, "")}[given.pop("command")]
    shard_bytes = max(1, int(given.pop("shard_mib") * (1 << 20)))
    begin = told = time.monotonic()

    def progress(sums: Dict[str, int]) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told < (1 if sys.stderr.isatty() else 10) and sums["done"] < sums["shards"]:
            return
        told = now
        rate = sums["rows"] / (now - begin)
        print(f"{sums['done']} of {sums['shards']} shards, {sums['rows']} rows, {rate:.0f} rows/s", file=sys.stderr)

    try:
        sums = of(shard_bytes=shard_bytes, progress=progress, **given.pop("options", {}), **given)  # type: ignore[operator]
    except Error as error:
        print(f"codelinter: {error}", file=sys.stderr)
        return 2
    print(json.dumps({**sums, "seconds": round(time.monotonic() - begin, 3)}))
    return 1 if sums.get(is_failure) else 0


if __name__ == "__main__":
    # Ray's workers import the class by the module's name, not as __main__.
    from codelinter.ray import main as run

    sys.exit(run())
