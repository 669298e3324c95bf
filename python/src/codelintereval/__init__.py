"""The taskset ``codelintereval`` of verifiers, which finds tasksets by the name of their package.

Importing it imports verifiers. A chat of one turn is all that it needs, so it brings
the harness for that.
"""

from __future__ import annotations

from verifiers.v1.harnesses.null import NullHarness

from codelinter.verifiers import CodeLinterEvalEnv, CodeLinterEvalTaskset

__all__ = ["CodeLinterEvalEnv", "CodeLinterEvalTaskset", "NullHarness"]
