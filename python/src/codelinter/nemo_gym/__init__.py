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


def write_server(root: str) -> Path:
    """Writes the server's folder under root and returns it."""
    here = Path(__file__).resolve().parent
    folder = Path(root) / "resources_servers" / "codelinter"
    (folder / "configs").mkdir(parents=True, exist_ok=True)
    for name in ("app.py", "requirements.txt", "configs/codelinter.yaml"):
        shutil.copyfile(here / name, folder / name)
    return folder
