"""Shards: the pieces of a source of rows, and the folder with a file for each.

A shard is a row group of Parquet, or the lines that begin within some MiB of JSONL. Its file
appears when it is complete, so a run that was ended is resumed by making what is missing.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Tuple

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

from ._error import Error

#: What is read at a time when lines are looked for, in bytes.
_PIECE = 1 << 20

#: Under which a file's metadata have the sums of its shard.
_SUMS = b"codelinter"


def filesystem(path: str) -> Tuple[Any, str]:
    """Returns the file system of a path or a URI, and the path in it."""
    if "://" not in path:
        path = str(Path(path).absolute())
    found: Tuple[Any, str] = fs.FileSystem.from_uri(path)
    return found


def shards_of(path: str, size: int) -> List[Dict[str, Any]]:
    """Returns the shards of a file or of the files in a folder, in a fixed order.

    A shard is a row group of Parquet, or the lines that begin within ``size`` bytes of JSONL.
    """
    system, inside = filesystem(path)
    info = system.get_file_info(inside)
    if info.type == fs.FileType.NotFound:
        raise Error(f"{path}: expected a file or a folder, found none")
    files = [info]
    if info.type == fs.FileType.Directory:
        found = sorted(system.get_file_info(fs.FileSelector(inside, recursive=True)), key=lambda f: str(f.path))
        files = [f for f in found if f.is_file and not f.base_name.startswith((".", "_"))]
    shards: List[Dict[str, Any]] = []
    for file in files:
        with system.open_input_file(file.path) as opened:
            parquet = opened.read(4) == b"PAR1"
            groups = pq.ParquetFile(opened).num_row_groups if parquet else 0
        step, end = (1, groups) if parquet else (size, file.size)
        shards += [
            {
                "root": path,
                "file": file.path,
                "kind": "parquet" if parquet else "jsonl",
                "first": first,
                "end": min(first + step, end),
            }
            for first in range(0, end, step)
        ]
    return shards


def read(shard: Mapping[str, Any], column: str) -> Any:
    """Returns a shard as a pyarrow.Table. The values of JSONL keep their types, see :func:`column_of`.

    Where no row begins, within a row that is longer than a shard, there is the column that is named, without rows.
    """
    system, _ = filesystem(shard["root"])
    with system.open_input_file(shard["file"]) as file:
        if shard["kind"] == "parquet":
            return pq.ParquetFile(file).read_row_group(shard["first"])
        rows: List[Dict[str, Any]] = []
        for place, line in _lines(file, shard["first"], shard["end"]):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                if not isinstance(row, dict):
                    raise ValueError(f"expected an object, found {type(row).__name__}")
            except ValueError as error:
                raise Error(f"{shard['file']}: byte {place}: {error}") from None
            rows.append(row)
    if not rows:
        return pa.table({column: pa.array([], pa.string())})
    names = list(dict.fromkeys(name for row in rows for name in row))
    return pa.table({name: column_of([row.get(name) for row in rows]) for name in names})


def _lines(file: Any, first: int, end: int) -> Iterator[Tuple[int, bytes]]:
    """Yields the lines that begin at first or later and before end, with their offsets."""
    at = max(first - 1, 0)
    file.seek(at)
    rest = b""
    skipping = first > 0  # up to the newline before the first line that begins here
    while at < end:
        piece = file.read(_PIECE)
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


def column_of(values: List[Any]) -> Any:
    """Returns values of JSON as an Arrow array.

    Arrow has one type a column, and Parquet none for an object without fields. Values that
    do not fit become texts: a text stays as it is, and others are written as JSON.
    """
    try:
        array = pa.array(values)
        if not _has_empty(array.type):
            return array
    except UnicodeEncodeError:  # half of a surrogate pair, which is U+FFFD everywhere here
        return column_of([json.loads(_utf8(json.dumps(value, ensure_ascii=False))) for value in values])
    except (pa.ArrowException, OverflowError):
        pass
    return pa.array([_text(value) for value in values], pa.string())


def _utf8(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _text(value: Any) -> Any:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)


def _has_empty(kind: Any) -> bool:
    """Reports whether a type has an object without fields in it."""
    if pa.types.is_struct(kind):
        return kind.num_fields == 0 or any(_has_empty(kind.field(i).type) for i in range(kind.num_fields))
    return bool(pa.types.is_list(kind)) and _has_empty(kind.value_type)


class Folder:
    """The folder with a file for each shard of a source.

    Args:
        source: a file or a folder.
        out: the folder, which is made if it is not there.
        shard_bytes: the size of shards of JSONL.
        settings: what else the rows depend on, as JSON has it.

    Raises:
        Error: the folder was begun for other rows or with other settings.
    """

    def __init__(self, source: str, out: str, shard_bytes: int, settings: Mapping[str, Any]) -> None:
        shards = shards_of(source, shard_bytes)
        digest = hashlib.sha256(json.dumps(shards).encode()).hexdigest()
        #: The names of all files.
        self.names = [f"part-{i:06}.parquet" for i in range(len(shards))]
        self._out = out
        self._system, self._path = filesystem(out)
        self._system.create_dir(self._path, recursive=True)
        self._same_plan({"source": source, "shards": len(shards), "digest": digest, **settings})
        there = {file.base_name for file in self._system.get_file_info(fs.FileSelector(self._path))}
        #: The shards that have no file yet, each with its file's name.
        self.missing = [{**shard, "name": n} for shard, n in zip(shards, self.names) if n not in there]

    def _same_plan(self, plan: Mapping[str, Any]) -> None:
        """Requires that an existing folder was begun for the same plan."""
        path = f"{self._path}/_plan.json"
        text = json.dumps(plan, sort_keys=True)
        if self._system.get_file_info(path).type == fs.FileType.NotFound:
            with self._system.open_output_stream(path) as file:
                file.write(text.encode())
            return
        with self._system.open_input_stream(path) as file:
            begun = file.read().decode(errors="replace")
        if begun != text:
            raise Error(f"{self._out}: expected the output of {text}, found that of {begun}")

    def sums(self, names: Iterable[str]) -> Dict[str, int]:
        """Returns the sums of these names over all files, whichever run has made them."""
        sums = dict.fromkeys(names, 0)
        for name in self.names:
            metadata = self._schema(name).metadata or {}
            if _SUMS not in metadata:
                raise Error(f"{self._out}/{name}: expected sums in its metadata, found none: remove the file")
            of_file = json.loads(metadata[_SUMS])
            for key in sums:
                sums[key] += of_file[key]
        return sums

    def unify(self) -> None:
        """Gives the files one schema, as readers take that of the first: those that differ are written anew.

        A column may have values in one shard alone, or values of another type there.
        """
        schemas = {name: self._schema(name).remove_metadata() for name in self.names}
        if len({*schemas.values()}) < 2:
            return
        kinds: Dict[str, Any] = {}
        for schema in schemas.values():
            for field in schema:
                kinds[field.name] = _common(kinds.get(field.name, field.type), field.type)
        while unfit := self._rewritten(schemas, pa.schema(list(kinds.items()))):
            kinds[unfit] = pa.string()

    def _rewritten(self, schemas: Mapping[str, Any], unified: Any) -> str:
        """Writes files anew that have another schema; returns the name of a column whose values do not fit."""
        for name, schema in schemas.items():
            if schema == unified:
                continue
            with self._system.open_input_file(f"{self._path}/{name}") as file:
                table = pq.ParquetFile(file).read()
            columns: List[Any] = []
            for field in unified:
                try:
                    columns.append(_as(table, field))
                except pa.ArrowException:
                    return str(field.name)
            write(pa.table(columns, unified.with_metadata(table.schema.metadata)), self._out, name)
        return ""

    def _schema(self, name: str) -> Any:
        with self._system.open_input_file(f"{self._path}/{name}") as file:
            return pq.ParquetFile(file).schema_arrow


def _common(a: Any, b: Any) -> Any:
    """Returns a type that has the values of both: texts, if there is no other."""
    if a == b:
        return a
    if pa.types.is_null(a) or pa.types.is_null(b):
        return b if pa.types.is_null(a) else a
    try:
        both = [pa.schema([("", kind)]) for kind in (a, b)]
        return pa.unify_schemas(both, promote_options="permissive").field(0).type
    except pa.ArrowException:
        return pa.string()


def _as(table: Any, field: Any) -> Any:
    """Returns a table's column with a type that has its values; of nulls if it has no such column."""
    if field.name not in table.column_names:
        return pa.nulls(table.num_rows, field.type)
    column = table.column(field.name)
    if column.type != field.type and pa.types.is_string(field.type):
        return pa.array([_text(value) for value in column.to_pylist()], field.type)
    # Not by a cast, which knows no objects with fields that are missing.
    return column if column.type == field.type else pa.array(column.to_pylist(), field.type)


def write(table: Any, out: str, name: str) -> None:
    """Writes a file into the folder out, which appears when it is complete."""
    system, folder = filesystem(out)
    temporary = f"{folder}/.{name}.{os.getpid()}"
    with system.open_output_stream(temporary) as file:
        pq.write_table(table, file)
    system.move(temporary, f"{folder}/{name}")


def write_with_sums(table: Any, out: str, name: str, sums: Mapping[str, int]) -> None:
    """Is :func:`write`; the file's metadata have the shard's sums."""
    metadata = {**(table.schema.metadata or {}), _SUMS: json.dumps(sums).encode()}
    write(table.replace_schema_metadata(metadata), out, name)


def with_columns(table: Any, columns: Mapping[str, Any]) -> Any:
    """Returns a table with these columns at its end, in place of those of the same names."""
    table = table.drop_columns([name for name in columns if name in table.column_names])
    for name, column in columns.items():
        table = table.append_column(name, column)
    return table
