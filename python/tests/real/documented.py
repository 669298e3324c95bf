"""Prints the commands of a page as they stand there.

    python documented.py PAGE TEXT...

PAGE is a path in the repository, and each TEXT names a block of commands (```sh) of the page: the
one in which it is. No command is written down twice, so what is run is what is read.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def block(page: str, text: str) -> str:
    """Returns the block of a page that has a text in it."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    found = [commands for commands in blocks if text in commands]
    assert len(found) == 1, f"{page}: expected one block of commands with {text!r}, found {len(found)}"
    return str(found[0])


if __name__ == "__main__":
    print("".join(block(sys.argv[1], text) for text in sys.argv[2:]), end="")
