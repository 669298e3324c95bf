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
import json
import os
import sys
import time
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Tuple

from ._adapter import task_of, text_of
from ._client import Client
from ._error import Error
from ._keep import Keep

#: The columns that scoring adds, with their Arrow types. ``error`` is "" where there is a
#: score; where there is none it says why, and all the others are null.
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


def _arrow_type(name: str) -> Any:
    import pyarrow as pa

    return pa.list_(pa.string()) if name == "list<string>" else pa.type_for_alias(name)


class Score:
    """Adds the columns of :data:`SCORE_COLUMNS` to a batch, for ``map_batches`` with ``batch_format="pyarrow"``.

    A row has one answer in ``completion``, or several in ``outputs``, as in sample files.
    Each of several answers becomes a row, with its position in a column ``sample``. The
    task is in ``task``, or its id in ``task_id`` or, if ``tasks`` is set, in ``id``.

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
        import pyarrow as pa

        if self.completion not in batch.column_names and "outputs" in batch.column_names:
            batch = _one_a_row(batch)
            answers = batch.column("outputs").to_pylist()
            batch = batch.drop_columns(["outputs"])
        elif self.completion in batch.column_names:
            answers = batch.column(self.completion).to_pylist()
        else:
            raise Error(f"expected a column {self.completion!r} or 'outputs', found {', '.join(batch.column_names)}")
        rows = self._scores(answers, self._tasks(batch))
        for name, kind in SCORE_COLUMNS.items():
            column = pa.array([row.get(name) for row in rows], type=_arrow_type(kind))
            if name in batch.column_names:
                batch = batch.drop_columns([name])
            batch = batch.append_column(name, column)
        return batch

    def _tasks(self, batch: Any) -> List[Any]:
        names = ["task", "task_id"] + (["id"] if self.has_tasks else [])
        columns = [batch.column(name).to_pylist() for name in names if name in batch.column_names]
        return [task_of(*candidates) for candidates in zip(*columns)] if columns else [None] * batch.num_rows

    def _scores(self, answers: List[Any], tasks: List[Any]) -> List[Dict[str, Any]]:
        """Returns the added columns of each answer."""
        rows: List[Dict[str, Any]] = [{} for _ in answers]
        good = []
        for i, answer in enumerate(answers):
            try:
                answers[i] = text_of(answer)
                good.append(i)
            except Error as error:
                rows[i] = {"error": str(error)}
        scores = self.client.try_score([answers[i] for i in good], [tasks[i] for i in good])
        for i, score in zip(good, scores):
            if isinstance(score, Error):
                rows[i] = {"error": str(score)}
            else:
                row: Dict[str, Any] = {
                    name: getattr(score, name) for name in SCORE_COLUMNS if name not in ("findings", "error")
                }
                rows[i] = {**row, "findings": score.found, "reasons": list(score.reasons), "error": ""}
        return rows


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
        import pyarrow as pa

        found = self.client.lint_many(batch.column(self.code).to_pylist(), **self.options)
        kind = pa.list_(
            pa.struct(
                [
                    ("code", pa.string()),
                    ("row", pa.int64()),
                    ("column", pa.int64()),
                    ("start", pa.int64()),
                    ("end", pa.int64()),
                    ("message", pa.string()),
                ]
            )
        )
        column = pa.array([[finding._asdict() for finding in findings] for findings in found], type=kind)
        return batch.append_column("findings", column)


def in_pandas(completion: str = "completion", **settings: Any) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """Returns a function from data frames to data frames with the columns of :data:`SCORE_COLUMNS`."""

    def score(frames: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa

        scorer = Score(completion, **settings)
        for frame in frames:
            yield scorer(pa.Table.from_pandas(frame, preserve_index=False)).to_pandas()

    return score


def _one_a_row(batch: Any) -> Any:
    """Returns a row for each item of ``outputs``, with its position in ``sample``."""
    import pyarrow as pa
    import pyarrow.compute as pc

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


def _filesystem(path: str) -> Tuple[Any, str]:
    from pyarrow import fs

    if "://" not in path:
        path = str(Path(path).absolute())
    found: Tuple[Any, str] = fs.FileSystem.from_uri(path)
    return found


def shards_of(path: str, size: int) -> List[Dict[str, Any]]:
    """Returns the shards of a file or of the files in a folder, in a fixed order.

    A shard is a row group of Parquet, or the lines that begin within ``size`` bytes of JSONL.
    """
    import pyarrow.parquet as pq
    from pyarrow import fs

    system, inside = _filesystem(path)
    info = system.get_file_info(inside)
    if info.type == fs.FileType.NotFound:
        raise Error(f"{path}: expected a file or a folder, found none")
    files = [info]
    if info.type == fs.FileType.Directory:
        found = system.get_file_info(fs.FileSelector(inside, recursive=True))
        files = [
            f for f in sorted(found, key=lambda f: str(f.path)) if f.is_file and not f.base_name.startswith((".", "_"))
        ]
    shards: List[Dict[str, Any]] = []
    for file in files:
        with system.open_input_file(file.path) as opened:
            parquet = opened.read(4) == b"PAR1"
        if parquet:
            with system.open_input_file(file.path) as opened:
                groups = pq.ParquetFile(opened).num_row_groups
            shards += [
                {"root": path, "file": file.path, "kind": "parquet", "first": g, "end": g + 1} for g in range(groups)
            ]
        else:
            shards += [
                {"root": path, "file": file.path, "kind": "jsonl", "first": at, "end": min(at + size, file.size)}
                for at in range(0, file.size, size)
            ]
    return shards


def _read_shard(shard: Dict[str, Any]) -> Any:
    """Returns a shard as a pyarrow.Table."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    system, _ = _filesystem(shard["root"])
    with system.open_input_file(shard["file"]) as file:
        if shard["kind"] == "parquet":
            return pq.ParquetFile(file).read_row_group(shard["first"])
        rows = []
        for place, line in _lines(file, shard["first"], shard["end"]):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                if not isinstance(row, dict):
                    raise ValueError(f"expected an object, found {type(row).__name__}")
            except ValueError as error:
                raise Error(f"{shard['file']}: byte {place}: {error}") from None
            # Ids may be integers here and texts there, and tasks objects with any fields: Arrow has one type a column.
            for name in ("id", "task_id"):
                if isinstance(row.get(name), int):
                    row[name] = str(row[name])
            if isinstance(row.get("task"), dict):
                row["task"] = json.dumps(row["task"])
            rows.append(row)
    names = list(dict.fromkeys(name for row in rows for name in row))
    return pa.table({name: [row.get(name) for row in rows] for name in names})


def _lines(file: Any, first: int, end: int) -> Iterator[Tuple[int, bytes]]:
    """Yields the lines that begin at first or later and before end, with their offsets."""
    at = max(first - 1, 0)
    file.seek(at)
    rest = b""
    skipping = first > 0  # up to the newline before the first line that begins here
    while at < end:
        piece = file.read(1 << 20)
        if not piece:
            if rest and not skipping:
                yield at, rest
            return
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            if skipping:
                skipping = False
            elif at < end:
                yield at, line
            else:
                return
            at += len(line) + 1


def _write_shard(table: Any, out: str, name: str) -> None:
    """Writes a shard's file, which appears when it is complete."""
    import pyarrow.parquet as pq

    system, folder = _filesystem(out)
    temporary = f"{folder}/.{name}.{os.getpid()}"
    with system.open_output_stream(temporary) as file:
        pq.write_table(table, file)
    system.move(temporary, f"{folder}/{name}")


class LintShard:
    """Lints a shard of programs and writes the file of those that are kept; for ``ds.map``.

    It adds three columns to those of the input: ``findings``, their number; ``density``, the
    findings a line; and ``codes``, the number of each code as JSON. A row without text, or
    with a text that is too large, is not kept and counts as an error. The file's metadata
    say how many rows were read.
    """

    def __init__(self, out: str, keep: Optional[str], code: str, options: Dict[str, Any], processors: int) -> None:
        self.out = out
        self.keep = None if keep is None else Keep(keep)
        self.code = code
        self.options = options
        self.client = Client(verdict="official", processors=processors)

    def __call__(self, shard: Dict[str, Any]) -> Dict[str, Any]:
        """Returns the shard's name and sums."""
        import pyarrow as pa

        table = _read_shard(shard)
        if self.code not in table.column_names:
            raise Error(f"expected a column {self.code!r}, found {', '.join(table.column_names)}")
        programs = table.column(self.code).to_pylist()
        places: List[int] = []
        added: Dict[str, List[Any]] = {"findings": [], "density": [], "codes": []}
        errors = 0
        for i, rows in enumerate(self.client._try_lint(programs, self.options)):
            if isinstance(rows, Error):
                errors += 1
                continue
            codes: Dict[str, int] = {}
            for row in rows:
                codes[row["code"]] = codes.get(row["code"], 0) + 1
            if self.keep is not None and not self.keep(codes, programs[i]):
                continue
            places.append(i)
            added["findings"].append(len(rows))
            added["density"].append(len(rows) / max(len(programs[i].splitlines()), 1))
            added["codes"].append(json.dumps(codes, sort_keys=True))
        kept = table.take(pa.array(places, pa.int64()))
        for name, kind in (("findings", pa.int64()), ("density", pa.float64()), ("codes", pa.string())):
            if name in kept.column_names:
                kept = kept.drop_columns([name])
            kept = kept.append_column(name, pa.array(added[name], type=kind))
        sums = {"rows": table.num_rows, "kept": len(places), "errors": errors}
        kept = kept.replace_schema_metadata({**(kept.schema.metadata or {}), _SUMS_KEY: json.dumps(sums).encode()})
        _write_shard(kept, self.out, shard["name"])
        return {"name": shard["name"], **sums}


#: Under which the metadata of a shard's file have its sums.
_SUMS_KEY = b"codelinter"


class ScoreShard:
    """Scores a shard and writes its file, which appears when it is complete; for ``ds.map``."""

    def __init__(self, out: str, keep: bool, completion: str, settings: Dict[str, Any]) -> None:
        self.out = out
        self.keep = keep
        self.score = Score(completion, **settings)

    def __call__(self, shard: Dict[str, Any]) -> Dict[str, Any]:
        """Returns the shard's name and sums."""
        import pyarrow.compute as pc

        table = self.score(_read_shard(shard))
        if not self.keep:
            table = table.drop_columns([n for n in (self.score.completion, "task") if n in table.column_names])
        _write_shard(table, self.out, shard["name"])
        return {
            "name": shard["name"],
            "rows": table.num_rows,
            "official": pc.sum(table.column("official")).as_py() or 0,
            "guarded": pc.sum(pc.equal(table.column("guarded"), "pass")).as_py() or 0,
            "errors": pc.sum(pc.not_equal(table.column("error"), "")).as_py() or 0,
        }


def score_files(
    source: str,
    out: str,
    actors: Optional[int] = None,
    cpus: float = 1,
    shard_bytes: int = 8 << 20,
    keep: bool = False,
    completion: str = "completion",
    progress: Callable[[Dict[str, int]], None] = lambda _: None,
    **settings: Any,
) -> Dict[str, int]:
    """Scores files into the folder out, a file for each shard that has none there yet, and returns the sums.

    Args:
        source: a file or a folder of JSONL or Parquet, as a path or a URI that pyarrow knows (``s3://``).
        out: a folder. Whatever machine a worker is on, it must see both.
        actors: how many workers, each with a child; None is as many as the cluster has cores for.
        cpus: how many cores each has, its child included.
        shard_bytes: the size of shards of JSONL.
        keep: whether the output has the answers too.
        completion: the column with answers.
        progress: called with the sums so far after each shard.
        settings: :class:`codelinter.Client`'s.
    """
    settings.setdefault("processors", max(1, int(cpus)))
    plan = {"source": source, "shard_bytes": shard_bytes}
    todo = _Shards(source, out, shard_bytes, plan)
    sums = {
        "shards": todo.count,
        "done": todo.count - len(todo.missing),
        "rows": 0,
        "official": 0,
        "guarded": 0,
        "errors": 0,
    }
    arguments = (out, keep, completion, settings)
    for row in _mapped(todo.missing, ScoreShard, arguments, actors, cpus):
        sums["done"] += 1
        for name in ("rows", "official", "guarded", "errors"):
            sums[name] += row[name]
        progress(sums)
    return sums


def lint_files(
    source: str,
    out: str,
    keep: Optional[str] = None,
    actors: Optional[int] = None,
    cpus: float = 1,
    shard_bytes: int = 8 << 20,
    code: str = "code",
    progress: Callable[[Dict[str, int]], None] = lambda _: None,
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
    import pyarrow.parquet as pq

    if keep is not None:
        Keep(keep)  # or every worker finds that it is none
    todo = _Shards(
        source, out, shard_bytes, {"source": source, "shard_bytes": shard_bytes, "keep": keep, "options": options}
    )
    sums = {"shards": todo.count, "done": todo.count - len(todo.missing), "rows": 0, "kept": 0, "errors": 0}
    for row in _mapped(todo.missing, LintShard, (out, keep, code, options, max(1, int(cpus))), actors, cpus):
        sums["done"] += 1
        for name in ("rows", "kept", "errors"):
            sums[name] += row[name]
        progress(sums)
    # Of what is in the folder, as a shard that was done twice is there once.
    sums.update(rows=0, kept=0, errors=0)
    system, folder = _filesystem(out)
    for name in todo.names:
        with system.open_input_file(f"{folder}/{name}") as file:
            for key, value in json.loads(pq.ParquetFile(file).schema_arrow.metadata[_SUMS_KEY]).items():
                sums[key] += value
    sums["rejected"] = sums["rows"] - sums["kept"] - sums["errors"]
    return sums


class _Shards:
    """The shards of a source, and which of them have no file in the folder out."""

    def __init__(self, source: str, out: str, shard_bytes: int, plan: Dict[str, Any]) -> None:
        from pyarrow import fs

        shards = [{**shard, "name": f"part-{i:06}.parquet"} for i, shard in enumerate(shards_of(source, shard_bytes))]
        self.count = len(shards)
        self.names = [shard["name"] for shard in shards]
        system, folder = _filesystem(out)
        system.create_dir(folder, recursive=True)
        text = json.dumps({**plan, "shards": len(shards)}, sort_keys=True).encode()
        _same_plan(system, f"{folder}/_plan.json", text, out)
        there = {file.base_name for file in system.get_file_info(fs.FileSelector(folder))}
        self.missing = [shard for shard in shards if shard["name"] not in there]


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


def _same_plan(system: Any, path: str, plan: bytes, out: str) -> None:
    """Requires that an existing folder was begun for the same files and shards."""
    from pyarrow import fs

    if system.get_file_info(path).type == fs.FileType.NotFound:
        with system.open_output_stream(path) as file:
            file.write(plan)
        return
    with system.open_input_stream(path) as file:
        begun = file.read()
    if begun != plan:
        raise Error(f"{out}: expected the output of {plan.decode()}, found that of {begun.decode(errors='replace')}")


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
