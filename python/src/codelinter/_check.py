"""Files and folders, linted as ``flake8`` on the command line lints them."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any, Dict, Iterable, List, NamedTuple, Sequence, Union, cast

from ._binary import find_binary
from ._error import Error

#: A path, as open() takes it.
Path = Union[str, "os.PathLike[str]"]

#: Options of the command that say what is printed, and not what is found.
_PRINTING = {
    *("benchmark", "bug_report", "color", "count", "exit_zero", "format", "help"),
    *("output_file", "quiet", "show_source", "statistics", "tee", "verbose", "version"),
}


class FileFinding(NamedTuple):
    """One finding in a file, as flake8 prints it."""

    #: The file, as flake8 names it.
    path: str
    #: Such as ``"E501"``.
    code: str
    #: From 1; 0 where the file could not be read.
    row: int
    #: From 1, as flake8 prints it.
    column: int
    #: flake8's words, without the code.
    message: str


def check_file(path: Path, **options: Any) -> List[FileFinding]:
    """Is :func:`check_paths` of one file."""
    return check_paths([path], **options)


def check_paths(paths: Iterable[Path], **options: Any) -> List[FileFinding]:
    """Returns what ``flake8 PATHS`` prints, in its order: folders are searched, and configuration files are read.

    Args:
        paths: files and folders.
        options: flake8's, by their names with ``_`` for ``-``: ``max_line_length=100``, ``select=["E", "F"]``,
            ``isolated=True``. Also ours: ``flake8_version="7.3.0"``, ``target_version="3.14"``.

    Raises:
        Error: an option makes no sense, or the files cannot be linted.
    """
    if isinstance(paths, (str, bytes, os.PathLike)) or not isinstance(paths, Iterable):
        raise Error(f"paths: expected a list of paths, found {type(paths).__name__}")
    names: List[str] = []
    for i, path in enumerate(paths):
        if not isinstance(path, (str, os.PathLike)):
            raise Error(f"paths[{i}]: expected a path, found {type(path).__name__}")
        names.append(os.fspath(path))
    if not names:
        return []
    out = run(["check", "--format=json", *_flags(options), "--", *names], (0, 1))
    try:
        files = json.loads(out or b"{}")
        return [
            FileFinding(f["filename"], f["code"], f["line_number"], f["column_number"], f["text"])
            for found in files.values()
            for f in found
        ]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Error(f"expected findings, found something else: {error!r}") from None


def run(arguments: Sequence[str], codes: Sequence[int] = (0,)) -> bytes:
    """Returns the output of the binary. With another exit code it raises an Error that has what the binary says."""
    command = [find_binary(), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    except OSError as error:
        raise Error(f"cannot start {command[0]}: {error}") from None
    if done.returncode not in codes:
        problem = done.stderr.decode(errors="replace").strip()
        raise Error(problem or f"{command[0]} ended with {done.returncode}")
    return done.stdout


def _flags(options: Dict[str, Any]) -> List[str]:
    """Returns options as the command line has them."""
    flags: List[str] = []
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if name in _PRINTING:
            raise Error(f"{name}: expected an option that says what is found")
        if value is True:
            flags.append(flag)
        elif isinstance(value, (list, tuple)):
            flags.append(f"{flag}={','.join(map(str, cast('Sequence[object]', value)))}")
        elif value is not None and value is not False:
            flags.append(f"{flag}={value}")
    return flags
