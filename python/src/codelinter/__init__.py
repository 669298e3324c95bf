"""codelinter: lints Python exactly as flake8 does, and is the reward of CodeLinterEval.

    >>> import codelinter
    >>> client = codelinter.Client(verdict="official")
    >>> [score.reward for score in client.score(["```python\\nx = 1\\n```", "x=1"])]
    [1.0, 0.0]
    >>> [f"{f.row}:{f.column} {f.code} {f.message}" for f in client.lint("x=1\\n")]
    ['1:2 E225 missing whitespace around operator']

The work is done by the binary that this wheel carries. Adapters for trainers and
evaluators are modules of this package, none of which is imported with it:
``codelinter.trl``, ``.verl``, ``.openrlhf``, ``.slime``, ``.areal``, ``.skyrl``,
``.verifiers``, ``.nemo_gym``, ``.inspect_ai``, ``.lm_eval`` and ``.ray``.
"""

from __future__ import annotations

from ._binary import find_binary
from ._client import Client, Task, Tasks, default_client
from ._error import Error
from ._score import Finding, Score

__all__ = ["Client", "Error", "Finding", "Score", "Task", "Tasks", "default_client", "find_binary"]
