"""``python -m codelinter`` is the command ``codelinter``."""

from __future__ import annotations

import os
import subprocess
import sys

from ._binary import find_binary
from ._error import Error


def main() -> int:
    """Runs the binary with this process's arguments and returns its exit code."""
    try:
        command = [find_binary(), *sys.argv[1:]]
    except Error as error:
        print(f"codelinter: {error}", file=sys.stderr)
        return 2
    try:
        if os.name == "posix":
            os.execv(command[0], command)  # noqa: S606
        # Windows has no exec: its execv returns to the shell before the command is done.
        return subprocess.run(command, check=False).returncode
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        print(f"codelinter: cannot start {command[0]}: {error.strerror}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
