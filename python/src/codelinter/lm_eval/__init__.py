"""CodeLinterEval for lm-evaluation-harness (made for lm_eval 0.4.13).

    lm_eval run --include_path "$(python -m codelinter.lm_eval)" --tasks codelintereval --model ...

``codelintereval`` asks once for each task, ``codelintereval_10`` ten times at a
temperature of 0.6. The tasks are the open set, or a file:
``--metadata '{"tasks": "tasks.jsonl"}'``.
"""

from __future__ import annotations

from pathlib import Path


def include_path() -> str:
    """Returns the folder for ``--include_path``."""
    return str(Path(__file__).resolve().parent / "tasks")
