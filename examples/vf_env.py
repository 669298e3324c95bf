"""An environment of verifiers of your own with a lint reward: pip install verifiers, and the wheel of codelinter.

    python vf_env.py

defines a taskset whose reward is a formula, and scores three answers to its task: nothing is asked
of a model, and nothing is downloaded. For CodeLinterEval's own taskset see `vf-eval codelintereval`
in the package's page.
"""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, Iterable

import verifiers.v1 as vf

import codelinter

TASK = {"program": "import os\nx=1\n", "tests": ["assert x == 1"]}

#: Half for tests, half for lint relative to the program; silence costs.
client = codelinter.default_client(reward="0.5*tests + 0.5*graded(E999=3) + empty, least=-1")


class MendData(vf.TaskData):
    """A task's data."""

    task: Any


class MendTask(vf.Task[MendData, vf.State, vf.TaskConfig]):
    """One program to mend."""

    @vf.reward
    async def lint(self, task: MendData, trace: vf.Trace) -> float:
        """Scores the last reply, and leaves the terms of the reward as metrics."""
        replies = [message.content or "" for message in trace.assistant_messages]
        (score,) = await client.ascore([replies[-1] if replies else ""], [task.task])
        trace.record_metrics(score.numbers())
        return score.reward


class MendTaskset(vf.Taskset[MendTask, vf.TasksetConfig]):
    """One task."""

    def load(self) -> Iterable[MendTask]:
        """Yields the task."""
        prompt = f"Mend this program, and keep what it does:\n\n{TASK['program']}"
        yield MendTask(MendData(id="1", prompt=prompt, task=TASK), vf.TaskConfig())


async def main() -> None:
    """Scores answers as verifiers does at the end of an episode."""
    (task,) = MendTaskset(vf.TasksetConfig(id="mend")).load()
    for answer in ("x = 1\n", "x=1\n", ""):
        metrics: dict[str, float] = {}
        trace: Any = SimpleNamespace(
            assistant_messages=[SimpleNamespace(content=answer)], record_metrics=metrics.update
        )
        reward = await task.lint(task.data, trace)
        terms = {name: value for name, value in metrics.items() if name.startswith("term_")}
        print(f"{answer!r}: {reward} {terms}")


if __name__ == "__main__":
    asyncio.run(main())
