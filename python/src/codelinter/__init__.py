"""codelinter lints Python exactly as flake8 does, and gives the rewards of CodeLinterEval.

    >>> import codelinter
    >>> [f"{f.row}:{f.column} {f.code} {f.message}" for f in codelinter.lint("x=1\\n")]
    ['1:2 E225 missing whitespace around operator']
    >>> [score.reward for score in codelinter.score(["```python\\nx = 1\\n```", "x=1"], verdict="official")]
    [1.0, 0.0]

The binary in this wheel does the work. Adapters for trainers and evaluators are
modules of this package, which are not imported with it:
``codelinter.trl``, ``.verl``, ``.openrlhf``, ``.slime``, ``.areal``, ``.skyrl``,
``.verifiers``, ``.nemo_gym``, ``.inspect_ai``, ``.lm_eval`` and ``.ray``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import rewards
from ._binary import find_binary
from ._check import FileFinding, check_file, check_paths
from ._client import Client, check_edit, default_client, lint, score
from ._error import Error
from ._score import Change, Edit, Finding, Guarded, Score
from ._settings import NO_TASK, OnUnknown, Reward, Settings, Task, Tasks, Verdict
from ._turns import feedback

__all__ = [
    "NO_TASK",
    "Change",
    "Client",
    "Edit",
    "Error",
    "FileFinding",
    "Finding",
    "Guarded",
    "OnUnknown",
    "Reward",
    "Score",
    "Settings",
    "Task",
    "Tasks",
    "Verdict",
    "__version__",
    "check_edit",
    "check_file",
    "check_paths",
    "default_client",
    "feedback",
    "find_binary",
    "lint",
    "rewards",
    "score",
]

if TYPE_CHECKING:
    #: The version of the package, and so of the binary that it carries.
    __version__: str


def __getattr__(name: str) -> str:
    # Asked for, and not known: importing what knows it takes as long as all the rest of this package.
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import metadata

    try:
        return metadata.version("codelinter")
    except metadata.PackageNotFoundError:  # a checkout that is on the path and not installed
        return "0+unknown"
