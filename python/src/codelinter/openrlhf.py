"""Rewards for OpenRLHF (made for openrlhf 0.11.2).

    --reward.remote_url "$(python -m codelinter.openrlhf)"

prints the path of this file, from which OpenRLHF takes ``reward_func``. The label is
the task: as JSON, as `codelinter dataset export --for openrlhf` writes it, or an id
of the client's tasks. The settings are those of the environment, see
:func:`codelinter.default_client`.

A query is the prompt and the answer. If it does not begin with the prompt, the answer
cannot be known. The reward is then 0.0, ``codelinter_error`` in the logs is 1.0, and the
log says so.
"""

from __future__ import annotations

from typing import Any, Dict, List, Sequence, Union

from codelinter import default_client
from codelinter._adapter import NONE, Scoring, means_of, numbers_of, reward_of, task_of

_scoring = Scoring()


def reward_func(
    queries: Sequence[str], prompts: Sequence[str], labels: Sequence[Any], **_: Any
) -> Dict[str, Union[float, List[float], Dict[str, float]]]:
    """Returns the rewards of a batch: numbers for one query, which OpenRLHF sends, else lists of numbers."""
    client = default_client()
    scores = _scoring.scores(client, queries, [task_of(label) for label in labels], prompts)
    rewards = [reward_of(score) for score in scores]
    # OpenRLHF puts what is logged beside its own "reward" and "score", and wants the same keys each time.
    means = {**dict.fromkeys(numbers_of(NONE, client), 0.0), **means_of(scores, client)}
    logs = {f"codelinter_{name}": mean for name, mean in means.items()}
    if len(rewards) == 1:
        return {"rewards": rewards[0], "scores": rewards[0], "extra_logs": logs}
    return {"rewards": rewards, "scores": rewards, "extra_logs": logs}


if __name__ == "__main__":
    print(__file__)
