"""What the tasks beside this file name by ``!function``."""

from __future__ import annotations

from math import comb
from typing import Any, Dict, List, Optional

from codelinter import Score, default_client
from codelinter._adapter import tasks_with_prompts


def load(tasks: Optional[str] = None, **_: Any) -> Dict[str, Any]:
    """Returns the split ``test``: the tasks of a file, or of the open set."""
    import datasets

    return {"test": datasets.Dataset.from_list(tasks_with_prompts(tasks))}


def score(resps: List[List[str]], docs: List[Dict[str, Any]]) -> List[List[Score]]:
    """Is the filter: returns the scores of each doc's answers, all of them made in one batch."""
    resps, docs = [list(answers) for answers in resps], list(docs)
    answers = [answer for of_doc in resps for answer in of_doc]
    tasks = [doc["task"] for doc, of_doc in zip(docs, resps) for _ in of_doc]
    scores = iter(default_client(verdict="guarded").score(answers, tasks))
    return [[next(scores) for _ in of_doc] for of_doc in resps]


def pass_at(k: int, n: int, c: int) -> float:
    """Returns pass@k: the chance that of k answers, drawn from n of which c pass, one passes."""
    return 1.0 - comb(n - c, k) / comb(n, k)


def process_results(doc: Dict[str, Any], results: List[List[Score]]) -> Dict[str, float]:
    """Returns a doc's pass@k by both verdicts, for each k of 1, 5 and 10 that there are answers for.

    A doc is one request, whose result is what the filter made of all its answers. The
    guarded verdict passes what has the reward 1.0: with CODELINTER_ON_UNKNOWN=official
    that is what is unknown, too.
    """
    (scores,) = results
    n = len(scores)
    passes = {
        "pass": sum(score.official for score in scores),
        "guarded_pass": sum(score.reward == 1.0 for score in scores),
    }
    return {f"{name}@{k}": pass_at(k, n, c) for name, c in passes.items() for k in (1, 5, 10) if k <= n}
