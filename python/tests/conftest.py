"""What the tests share. They need the binary: CODELINTER_BINARY, or the one that is installed."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Callable, Iterator, List

import pytest

import codelinter

HERE = Path(__file__).resolve().parent


@pytest.fixture
def real() -> Iterator[codelinter.Client]:
    """A client of the real child, for official verdicts of tasks of the open set."""
    with codelinter.Client(verdict="official") as client:
        yield client


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., codelinter.Client]]:
    """Makes clients of children that misbehave, see fake_stream.py."""
    clients: List[codelinter.Client] = []

    def make(kind: str = "", **settings: Any) -> codelinter.Client:
        monkeypatch.setenv("FAKE", kind)
        client = codelinter.Client(binary=str(HERE / "fake_stream.py"), **settings)
        clients.append(client)
        return client

    if os.name != "posix":
        pytest.skip("a script is a program on POSIX alone")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    yield make
    for client in clients:
        client.close()
