"""``python -m codelinter.nemo_gym DIR`` writes the resources server into DIR."""

from __future__ import annotations

import sys

from codelinter.nemo_gym import write_server

if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
    sys.exit("usage: python -m codelinter.nemo_gym DIR")
print(write_server(sys.argv[1]))
