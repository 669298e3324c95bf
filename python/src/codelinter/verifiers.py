r"""Rewards and a taskset for verifiers (made for verifiers 0.4.0, its v1 API), and so for prime-rl.

    vf-eval codelintereval -m MODEL --no-push --env.agent.runtime.type subprocess \
        --client.type eval --client.base-url http://127.0.0.1:8000/v1 --client.api-key-var OPENAI_API_KEY

runs the taskset, which is the package ``codelintereval`` of this wheel. It needs no
account: the model behind the URL answers. For another taskset's tasks, name the reward:

    --env.taskset.task.rewards.lint.fn codelinter.verifiers.clean_reward

``--env.turns 3`` lets the model answer three times, and tells it after the first two
what flake8 finds. The reward is that of the last answer; ``turn_1_reward`` and so on are
metrics.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Iterable, Optional

import verifiers.v1 as vf

from . import _client
from ._adapter import task_of, tasks_with_prompts
from ._error import Error
from ._settings import NO_TASK, OnUnknown, Verdict
from ._turns import next_turn, turn_rewards

#: Where a trace's information says how many turns there may be.
_TURNS = "codelinter_turns"


def reply_of(trace: Any) -> str:
    """Returns the agent's last reply as it was given.

    ``trace.last_reply`` is stripped of blanks. Without a fence these belong to the code: a
    clean program without its last newline has the finding W292.
    """
    replies: list[str] = [message.content or "" for message in trace.assistant_messages]
    root: Optional[str] = trace.root_reply
    if root is None:
        return replies[-1] if replies else ""
    # The root agent's reply has lost its blanks as well: the message that it was has them.
    return next((text for text in reversed(replies) if text.strip() == root.strip()), root)


async def clean_reward(task: Any, trace: Any) -> float:
    """Returns the reward of a trace's last reply; the task's data may have a field ``task``.

    The settings are those of the environment, see :func:`codelinter.default_client`. It raises if the reply
    could not be scored, and verifiers marks this episode alone as failed. It also raises
    for a masked reward, as a function has no other way to give no reward.
    """
    (score,) = await _client.default_client().ascore([reply_of(trace)], task_of(getattr(task, "task", NO_TASK)))
    if score.masked:
        raise Error(f"no reward: {', '.join(score.reasons)}")
    return score.reward


class CodeLinterEvalTaskConfig(vf.TaskConfig):
    """The settings of scoring, under ``--env.taskset.task``."""

    verdict: Verdict = "guarded"
    """``guarded`` or ``official``."""
    reward: str = "binary"
    """``binary``, ``shaped``, a formula, or a function of a score as ``module:name``."""
    on_unknown: OnUnknown = "zero"
    """The reward of an answer whose logic cannot be decided: ``zero``, ``mask`` or ``official``."""
    timeout: float = 30.0
    """Seconds that scoring one answer may take."""


class CodeLinterEvalConfig(vf.TasksetConfig):
    """Which tasks there are, under ``--env.taskset``."""

    tasks: Optional[Path] = None
    """A file of tasks; the open set without one."""
    task: CodeLinterEvalTaskConfig = CodeLinterEvalTaskConfig()


class CodeLinterEvalData(vf.TaskData):
    """A task's data: what verifiers knows of it, and the task as JSON."""

    task: str


class CodeLinterEvalTask(vf.Task[CodeLinterEvalData, vf.State, CodeLinterEvalTaskConfig]):
    """One program to mend."""

    @vf.reward
    async def clean(self, task: CodeLinterEvalData, trace: vf.Trace) -> Any:
        """Scores the last reply, and leaves the numbers of the score as metrics.

        A masked answer has no reward, and its tokens are not trained on.
        """
        settings = {name: getattr(self.config, name) for name in ("verdict", "reward", "on_unknown", "timeout")}
        client = _client.default_client(**settings)
        (score,) = await client.ascore([reply_of(trace)], task_of(task.task))
        numbers = score.numbers()
        del numbers["reward"]
        trace.record_metrics(numbers)
        replies = [message.content or "" for message in trace.assistant_messages]
        turns = max(len(replies), trace.info.get(_TURNS, 1))
        if turns > 1:
            trace.record_metrics(turn_rewards(await client.atry_score(replies, task_of(task.task)), turns))
        if score.masked:
            if trace.agent is not None:
                trace.agent.trainable = False
            return {}
        return score.reward


class CodeLinterEvalEnvConfig(vf.EnvConfig):
    """How often a model may answer, under ``--env``."""

    agent: vf.AgentConfig = vf.AgentConfig()
    """The model that is asked."""
    turns: int = 1
    """How many answers it may give to a task: after each but the last it is told what flake8 finds."""


class CodeLinterEvalEnv(vf.Env[CodeLinterEvalEnvConfig]):
    """Asks once, or up to ``turns`` times with the findings of the last answer in between."""

    async def run(self, task: Any, agents: Any) -> None:
        """Runs an episode, which ends early with an answer in which flake8 finds nothing."""
        if self.config.turns <= 1:
            await agents.agent.run(task)
            return
        async with agents.agent.interaction(task) as interaction:
            interaction.trace.info[_TURNS] = self.config.turns
            segment = await interaction.turn()
            for _ in range(1, self.config.turns):
                if segment.terminated:
                    break
                client = _client.default_client(verdict="official")
                said = next_turn(*await client.atry_score([reply_of(interaction.trace)], task_of(task.data.task)))
                if said is None:
                    break
                segment = await interaction.turn(said)


class CodeLinterEvalTaskset(vf.Taskset[CodeLinterEvalTask, CodeLinterEvalConfig]):
    """The tasks of a file, or of the open set."""

    def load(self) -> Iterable[CodeLinterEvalTask]:
        """Yields the tasks in the order of their file."""
        tasks = self.config.tasks
        for row in tasks_with_prompts(None if tasks is None else str(tasks)):
            data = CodeLinterEvalData(id=row["id"], prompt=row["prompt"], task=row["task"])
            yield CodeLinterEvalTask(data, self.config.task)
