"""As much of some frameworks as the adapters derive from, for where they are not installed.

What is here is what the adapters use, with the signatures of the versions that they
name. The runs of `make python-real` and `make python-heavy` take the real ones.
"""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from types import ModuleType, SimpleNamespace
from typing import Any, Callable, Dict

import pytest


def _module(name: str, **names: Any) -> ModuleType:
    module = ModuleType(name)
    module.__dict__.update(names)
    module.__path__ = []
    return module


class Model:
    """Stands in for pydantic's BaseModel."""

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)

    def model_dump(self) -> Dict[str, Any]:
        return dict(self.__dict__)


class Generic(Model):
    def __class_getitem__(cls, _: Any) -> Any:
        return cls


class ResourcesServer(Model):
    routes: Dict[str, Any]

    def setup_webserver(self) -> Any:
        return SimpleNamespace(post=lambda path: lambda function: self.routes.update({path: function}))


class VerifyResponse(Model):
    mask_sample = False
    failure_kind = None
    failure_reason = None


class Taskset(Generic):
    def __init__(self, config: Any) -> None:
        self.config = config


class VerifiersTask(Generic):
    def __init__(self, data: Any, config: Any) -> None:
        self.data = data
        self.config = config


def _decorator(*_: Any, **__: Any) -> Callable[[Any], Any]:
    return lambda function: function


async def _run_sync(function: Callable[..., Any], *args: Any) -> Any:
    return await asyncio.get_running_loop().run_in_executor(None, function, *args)


def _skyrl_gym() -> Dict[str, ModuleType]:
    return {
        "skyrl_gym": _module("skyrl_gym"),
        "skyrl_gym.envs": _module("skyrl_gym.envs"),
        "skyrl_gym.envs.base_text_env": _module("base_text_env", BaseTextEnv=Model, BaseTextEnvStepOutput=dict),
    }


def _verifiers() -> Dict[str, ModuleType]:
    names = {
        "TaskConfig": Model,
        "TasksetConfig": Model,
        "TaskData": Model,
        "Task": VerifiersTask,
        "Taskset": Taskset,
        "State": Model,
        "Trace": object,
        "EnvConfig": Model,
        "AgentConfig": Model,
        "Env": Taskset,
        "reward": lambda function: function,
    }
    v1 = _module("verifiers.v1", **names)
    return {"verifiers": _module("verifiers", v1=v1), "verifiers.v1": v1}


def _nemo_gym() -> Dict[str, ModuleType]:
    names = {
        "BaseResourcesServerConfig": Model,
        "BaseVerifyRequest": Model,
        "BaseVerifyResponse": VerifyResponse,
        "ReverifyMode": SimpleNamespace(STATELESS="stateless"),
        "SimpleResourcesServer": ResourcesServer,
    }
    return {
        "nemo_gym": _module("nemo_gym"),
        "pydantic": _module("pydantic", BaseModel=Model),
        "nemo_gym.base_resources_server": _module("base_resources_server", **names),
    }


def _inspect_ai() -> Dict[str, ModuleType]:
    scorer = {
        "CORRECT": "C",
        "INCORRECT": "I",
        "NOANSWER": "N",
        "Score": Model,
        "Target": object,
        "accuracy": object,
        "scorer": _decorator,
        "stderr": object,
    }
    solver = {"TaskState": object, "solver": lambda function: function}
    top = {"Epochs": object, "Task": Model, "task": lambda function: function}
    return {
        "inspect_ai": _module("inspect_ai", **top),
        "inspect_ai.dataset": _module("dataset", MemoryDataset=lambda samples, **_: samples, Sample=Model),
        "inspect_ai.scorer": _module("scorer", **scorer),
        "inspect_ai.model": _module("model", ChatMessageUser=lambda content: Model(role="user", content=content)),
        "inspect_ai.solver": _module("solver", **solver),
    }


def _anyio() -> Dict[str, ModuleType]:
    to_thread = _module("anyio.to_thread", run_sync=_run_sync)
    return {"anyio": _module("anyio", to_thread=to_thread), "anyio.to_thread": to_thread}


_STUBS = {
    "skyrl_gym": _skyrl_gym,
    "verifiers": _verifiers,
    "nemo_gym": _nemo_gym,
    "inspect_ai": _inspect_ai,
    "anyio": _anyio,
}


def install(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Has the stubs of frameworks imported in a test, installed or not, and their adapters anew."""
    for name in names:
        if name == "anyio" and importlib.util.find_spec(name):
            continue
        for module_name in [m for m in sys.modules if m == name or m.startswith(f"{name}.")]:
            monkeypatch.delitem(sys.modules, module_name)
        for module_name, module in _STUBS[name]().items():
            monkeypatch.setitem(sys.modules, module_name, module)
    for module_name in ("skyrl", "verifiers", "inspect_ai", "nemo_gym.app"):
        monkeypatch.delitem(sys.modules, f"codelinter.{module_name}", raising=False)
