"""CodeLinterEval for inspect_ai (made for inspect_ai 0.3.285).

    inspect eval codelinter/codelintereval --model openai/NAME
    inspect eval codelinter/codelintereval -T tasks=tasks.jsonl -T epochs=10
    inspect eval codelinter/codelintereval -T turns=3

inspect_ai finds this module by an entry point of the wheel.
"""

from __future__ import annotations

from typing import Any, Awaitable, Callable

import anyio.to_thread
from inspect_ai import Epochs, task
from inspect_ai import Task as InspectTask
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser
from inspect_ai.scorer import CORRECT, INCORRECT, NOANSWER, Target, accuracy, scorer, stderr
from inspect_ai.scorer import Score as InspectScore
from inspect_ai.solver import TaskState, solver

from . import _client
from ._adapter import tasks_with_prompts
from ._settings import NO_TASK, OnUnknown, Verdict
from ._turns import next_turn, turn_rewards

#: Where a sample's metadata say how many turns there may be.
_TURNS = "turns"

_Scorer = Callable[[TaskState, Target], Awaitable[InspectScore]]


def _scorer(verdict: Verdict, timeout: float, on_unknown: OnUnknown = "zero") -> _Scorer:
    async def score(state: TaskState, target: Target) -> InspectScore:
        client = _client.default_client(verdict=verdict, reward="binary", timeout=timeout, on_unknown=on_unknown)
        task_text = state.metadata.get("task", NO_TASK)
        # On a thread, as inspect_ai runs on asyncio or on trio.
        (found,) = await anyio.to_thread.run_sync(client.score, [state.output.completion], task_text)
        metadata: dict[str, Any] = found.numbers()
        answers = [message.text for message in state.messages if message.role == "assistant"]
        turns = max(len(answers), state.metadata.get(_TURNS, 1))
        if turns > 1:
            metadata |= turn_rewards(await anyio.to_thread.run_sync(client.try_score, answers, task_text), turns)
        # A reward of 1.0 for what is unknown is that of on_unknown="official".
        value = NOANSWER if found.masked else CORRECT if found.reward == 1.0 else INCORRECT
        reasons = ", ".join(found.reasons) or None
        return InspectScore(value=value, answer=state.output.completion, explanation=reasons, metadata=metadata)

    return score


@scorer(metrics=[accuracy(), stderr()])
def official(timeout: float = 30.0) -> Any:
    """Scores by the benchmark's own verdict: flake8 finds nothing in the code."""
    return _scorer("official", timeout)


@scorer(metrics=[accuracy(), stderr()])
def guarded(timeout: float = 30.0, on_unknown: OnUnknown = "zero") -> Any:
    """Scores by the guarded verdict: an official pass, no trick on the linter, and the logic is kept.

    An unknown is not a pass. With ``on_unknown="mask"`` it counts as no answer (N), and with
    ``"official"`` as a pass.
    """
    return _scorer("guarded", timeout, on_unknown)


@solver
def ask(turns: int = 1) -> Any:
    """Asks the model once, or up to ``turns`` times with the findings of the last answer in between.

    It ends early with an answer in which flake8 finds nothing.
    """

    async def solve(state: TaskState, generate: Any) -> TaskState:
        state.metadata[_TURNS] = turns
        for turn in range(turns):
            state = await generate(state)
            if turn + 1 == turns:
                break
            client = _client.default_client(verdict="official")
            answer, task_text = state.output.completion, state.metadata.get("task", NO_TASK)
            said = next_turn(*await anyio.to_thread.run_sync(client.try_score, [answer], task_text))
            if said is None:
                break
            state.messages.append(ChatMessageUser(content=said))
        return state

    return solve


def dataset(tasks: str | None = None) -> MemoryDataset:
    """Returns the tasks of a file, or the open set, as inspect_ai's samples."""
    rows = tasks_with_prompts(tasks)
    samples = [Sample(input=row["prompt"], id=row["id"], metadata={"task": row["task"]}) for row in rows]
    return MemoryDataset(samples, name="codelintereval", location=tasks)


@task
def codelintereval(
    tasks: str | None = None,
    epochs: int = 1,
    timeout: float = 30.0,
    on_unknown: OnUnknown = "zero",
    turns: int = 1,
) -> InspectTask:
    """Asks a model to repair programs, and scores the answers by both verdicts.

    Args:
        tasks: a file of tasks; None is the open set.
        epochs: answers to each task; with k or more of them there is pass@k, for k of 1, 5 and 10.
        timeout: seconds that scoring one answer may take.
        turns: how often a model may answer: after each answer but the last it is told what flake8 finds.
            The last is scored, and the rewards of all are in the score's metadata.
        on_unknown: the score of an answer whose logic cannot be decided, by the guarded verdict.
    """
    reducers = ["mean"] if epochs == 1 else [f"pass_at_{k}" for k in (1, 5, 10) if k <= epochs]
    return InspectTask(
        dataset=dataset(tasks),
        solver=ask(turns),
        scorer=[official(timeout), guarded(timeout, on_unknown)],
        epochs=Epochs(epochs, reducers),
    )
