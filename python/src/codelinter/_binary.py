"""Where the binary is."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from pathlib import Path

from ._error import Error

_NAME = "codelinter" + (sysconfig.get_config_var("EXE") or "")


def _folders() -> list[str]:
    """The folders that an installer puts scripts into, the likeliest first."""
    user = sysconfig.get_preferred_scheme("user") if sys.version_info >= (3, 10) else f"{os.name}_user"
    folders = [
        # the scripts of this interpreter, then those of the interpreter that a virtual environment is of
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", vars={"base": sys.base_prefix}),
    ]
    # pip install --target DIR and --prefix DIR: the package is in DIR or DIR/lib/python3.N/site-packages
    package = Path(__file__).resolve().parent
    folders.append(str(package.parent / "bin"))
    if len(package.parents) > 3:
        folders.append(str(package.parents[3] / Path(sysconfig.get_path("scripts")).name))
    folders.append(sysconfig.get_path("scripts", user))
    return folders


def find_binary() -> str:
    """Returns the path of the binary.

    It is the one that ``CODELINTER_BINARY`` names, else the one of this package, which
    the installer put beside its other commands, else the first ``codelinter`` on
    ``PATH``.

    Raises:
        Error: there is none, or ``CODELINTER_BINARY`` names no file.
    """
    if named := os.environ.get("CODELINTER_BINARY"):
        if Path(named).is_file():
            return named
        raise Error(f"CODELINTER_BINARY: expected the path of a file, found {named!r}")
    folders = [*dict.fromkeys(_folders())]
    for folder in folders:
        binary = Path(folder) / _NAME
        if binary.is_file():
            return str(binary)
    if binary_on_path := shutil.which("codelinter"):
        return binary_on_path
    raise Error(
        f"expected {_NAME} in one of {', '.join(folders)} or on PATH, found none: "
        "install the wheel for this system, or name a binary by CODELINTER_BINARY"
    )
