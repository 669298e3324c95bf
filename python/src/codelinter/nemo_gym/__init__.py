"""CodeLinterEval for NeMo Gym (made for nemo-gym 0.7.0): a resources server.

    python -m codelinter.nemo_gym DIR

writes the server's folder, ``DIR/resources_servers/codelinter``, with ``app.py``, its
requirements, its configuration and examples, for ``gym env start`` with
``resources_servers/codelinter/configs/codelinter.yaml``. The rows are those of
`codelinter dataset export --for nemo-gym`.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Dict

#: The tool by which a model sees what flake8 finds before it answers, for a row's ``responses_create_params.tools``.
LINT: Dict[str, Any] = {
    "type": "function",
    "name": "lint",
    "description": "Returns what flake8 finds in a Python program, a line for each finding.",
    "parameters": {
        "type": "object",
        "properties": {"code": {"type": "string", "description": "The whole program."}},
        "required": ["code"],
        "additionalProperties": False,
    },
    "strict": True,
}


def with_lint(row: Dict[str, Any]) -> Dict[str, Any]:
    """Returns a row of a dataset with the tool ``lint``; how often it is called is the agent's ``max_steps``."""
    params = dict(row["responses_create_params"])
    params["tools"] = [*params.get("tools", ()), LINT]
    return {**row, "responses_create_params": params}


def write_server(root: str) -> Path:
    """Writes the server's folder under root and returns it."""
    here = Path(__file__).resolve().parent
    folder = Path(root) / "resources_servers" / "codelinter"
    (folder / "configs").mkdir(parents=True, exist_ok=True)
    for name in ("app.py", "requirements.txt", "configs/codelinter.yaml"):
        shutil.copyfile(here / name, folder / name)
    return folder
