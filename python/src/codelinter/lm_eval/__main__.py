"""Prints the folder for ``--include_path``."""

from __future__ import annotations

from codelinter.lm_eval import include_path

print(include_path())
