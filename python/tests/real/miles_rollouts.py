"""The rollout of slime_rollouts.py by miles. SGLang, which miles imports and which needs CUDA, is a stand-in."""

from __future__ import annotations

import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import Any, Optional
from unittest.mock import MagicMock

from slime_rollouts import main


class StandIn(MetaPathFinder, Loader):
    """Finds a module without contents for each of sglang's."""

    def find_spec(self, name: str, *_: Any) -> Optional[ModuleSpec]:
        return ModuleSpec(name, self, is_package=True) if name.partition(".")[0] == "sglang" else None

    def create_module(self, spec: ModuleSpec) -> Any:
        module = MagicMock(name=spec.name, __path__=[], __spec__=spec)
        module.__name__ = spec.name
        return module

    def exec_module(self, module: Any) -> None:
        """Does nothing."""


if __name__ == "__main__":
    sys.meta_path.insert(0, StandIn())
    main("miles")
