"""Puts the binary for one system into a wheel. The wheel's tag names the system.

Go compiles it for this machine, or for the GOOS/GOARCH that CODELINTER_BUILD_TARGET
names: so `make wheels` makes all wheels on any machine. VERSION becomes the version of the wheel and of the binary.

A source distribution has the binary's sources in its folder go/. It can be built
wherever Go is installed; Go fetches the modules.

The binary is static and needs nothing of a Linux system but its calls, so one
wheel is for glibc and for musl. The tags name the oldest systems that Go supports.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

HERE = Path(__file__).resolve().parent

#: The Go module: in a source distribution a folder of it, else the checkout.
CHECKOUT = HERE / "go" if (HERE / "go" / "go.mod").exists() else HERE.parent

#: The checkout's folders that no binary is compiled of.
NOT_COMPILED = {"dist", "docs", "packaging", "playground", "python", "testdata"}

#: The licences. Beside this file they are links to those of the checkout.
LICENSES = ("LICENSE", "NOTICE", "THIRD_PARTY_LICENSES")

#: GOOS/GOARCH to the platform tag of the wheel.
PLATFORMS = {
    "linux/amd64": "manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64",
    "linux/arm64": "manylinux2014_aarch64.manylinux_2_17_aarch64.musllinux_1_1_aarch64",
    "darwin/amd64": "macosx_12_0_x86_64",
    "darwin/arm64": "macosx_12_0_arm64",
    "windows/amd64": "win_amd64",
}


def version() -> str:
    """Returns VERSION, or else the version that a build of the checkout says it is."""
    if stamped := os.environ.get("VERSION"):
        return stamped
    if (HERE / "PKG-INFO").exists():  # a source distribution, which was stamped when it was made
        lines = (HERE / "PKG-INFO").read_text(encoding="utf-8").splitlines()
        return next(line for line in lines if line.startswith("Version: "))[len("Version: ") :]
    release = (CHECKOUT / "internal/version/version.go").read_text(encoding="utf-8")
    found = re.search(r'^const unreleased = "(.+)"$', release, re.MULTILINE)
    if found is None:
        raise RuntimeError("internal/version: expected const unreleased, found none")
    return found[1]


def sources() -> dict[str, str]:
    """Returns what a source distribution has of the Go module: paths, and their names in it."""
    found = {}
    for folder, folders, files in os.walk(CHECKOUT):
        without = NOT_COMPILED if Path(folder) == CHECKOUT else {"testdata", "node_modules"}
        folders[:] = sorted(f for f in folders if f not in without and not f.startswith("."))
        for name in sorted(files):
            path = Path(folder) / name
            inside = path.relative_to(CHECKOUT)
            if name.startswith(".") or name.endswith(("_test.go", ".test", ".prof")):
                continue
            if len(inside.parts) == 1 and name not in ("go.mod", "go.sum"):
                continue
            found[str(path)] = f"go/{inside.as_posix()}"
    return found


def build_target() -> str:
    """Returns the GOOS/GOARCH to build for."""
    system = {"linux": "linux", "darwin": "darwin", "win32": "windows"}.get(sys.platform)
    machine = {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine().lower(), platform.machine().lower())
    target = os.environ.get("CODELINTER_BUILD_TARGET") or f"{system}/{machine}"
    if target not in PLATFORMS:
        raise RuntimeError(f"CODELINTER_BUILD_TARGET: expected one of {', '.join(PLATFORMS)}, found {target}")
    return target


def compile_binary(target: str, folder: str) -> Path:
    """Compiles the checkout's binary for target into folder."""
    go = shutil.which("go")
    if go is None or not (CHECKOUT / "go.mod").exists():
        raise RuntimeError("expected Go and a clone of codelinter; without them, install a wheel")
    system, machine = target.split("/")
    binary = Path(folder) / ("codelinter.exe" if system == "windows" else "codelinter")
    flags = f"-s -w -X codelinter/internal/version.stamped={version()}"
    subprocess.run(
        [go, "build", "-trimpath", f"-ldflags={flags}", "-o", str(binary), "./cmd/codelinter"],
        cwd=CHECKOUT,
        env={**os.environ, "CGO_ENABLED": "0", "GOOS": system, "GOARCH": machine},
        check=True,
    )
    return binary


class CustomMetadataHook(MetadataHookInterface):  # type: ignore[misc]
    """The hook for metadata that only a release has: the project's addresses."""

    def update(self, metadata: dict[str, Any]) -> None:
        home = os.environ.get("RELEASE_HOMEPAGE", "").rstrip("/")
        metadata["urls"] = {}
        if home:
            metadata["urls"] = {
                "Homepage": home,
                "Documentation": f"{home}/tree/main/docs",
                "Changelog": f"{home}/blob/main/CHANGELOG.md",
                "Issues": f"{home}/issues",
            }


class CustomBuildHook(BuildHookInterface):  # type: ignore[misc]
    """The hook that hatchling calls for a wheel and for a source distribution."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name == "sdist":
            # A link would lead out of the source distribution.
            licenses = {str((HERE / name).resolve()): name for name in LICENSES}
            build_data["force_include"] = {**sources(), **licenses}
            return
        # An editable install takes the binary that find_binary() finds.
        if version == "editable":
            return
        target = build_target()
        self.scratch = tempfile.TemporaryDirectory()
        binary = compile_binary(target, self.scratch.name)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{PLATFORMS[target]}"
        build_data["shared_scripts"] = {str(binary): binary.name}

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self.target_name == "wheel" and version != "editable":
            self.scratch.cleanup()
