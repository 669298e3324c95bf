"""Rewards for OpenRLHF (made for openrlhf 0.11.2).

    --reward.remote_url "$(python -m codelinter.openrlhf)"

prints the path of this file, from which OpenRLHF takes ``reward_func``. The label is
the task: as JSON, as `codelinter dataset export --for openrlhf` writes it, or an id
of the client's tasks. The settings are those of the environment, see
:func:`codelinter.default_client`.
"""

from __future__ import annotations

from typing import Any, Dict, List, Sequence, Union

from codelinter import default_client
from codelinter._adapter import task_of, without_end_of_turn


def _completion(query: str, prompt: str) -> str:
    """Returns what the model wrote of a query, which is the prompt and that."""
    if query.startswith(prompt):
        query = query[len(prompt) :]
    else:
        # The prompt was cut at its start, or begins with a token that its text does not show.
        for size in (256, 64, 16):
            tail = prompt[-size:]
            if tail and query.count(tail) == 1:
                query = query.partition(tail)[2]
                break
    return without_end_of_turn(query)


def reward_func(
    queries: Sequence[str], prompts: Sequence[str], labels: Sequence[Any], **_: Any
) -> Dict[str, Union[float, List[float], Dict[str, float]]]:
    """Returns the rewards of a batch: numbers for one query, which is what OpenRLHF sends, else lists of them."""
    completions = [_completion(query, prompt) for query, prompt in zip(queries, prompts)]
    scores = default_client().score(completions, [task_of(label) for label in labels])
    rewards = [score.reward for score in scores]
    rows = [score.numbers() for score in scores]
    # OpenRLHF puts what is logged beside its own "reward" and "score".
    logs = {f"codelinter_{name}": sum(row[name] for row in rows) / len(rows) for name in (rows[0] if rows else ())}
    if len(rewards) == 1:
        return {"rewards": rewards[0], "scores": rewards[0], "extra_logs": logs}
    return {"rewards": rewards, "scores": rewards, "extra_logs": logs}


if __name__ == "__main__":
    print(__file__)
