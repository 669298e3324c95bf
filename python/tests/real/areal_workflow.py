"""312 episodes of AReaL's RLVRWorkflow, whose rewards are made in its pool of processes.

The engine is a stand-in that has the answers; prompts, tokens, retries, time-outs and the
tensors that a trainer gets are AReaL's own.
"""

from __future__ import annotations

import asyncio
import os
from importlib.metadata import version
from typing import Any, List

os.environ["HF_HUB_OFFLINE"] = os.environ["TRANSFORMERS_OFFLINE"] = "1"

from areal.api import ModelResponse
from areal.api.cli_args import GenerationHyperparameters
from areal.workflow.rlvr import RLVRWorkflow
from of_eval import asked, rewards_are, verdicts
from trained_tokenizer import trained_tokenizer


class Engine:
    """Answers a request with the answer that it was made for."""

    def __init__(self, tokens: List[int]) -> None:
        self.tokens = tokens

    async def agenerate(self, request: Any) -> Any:
        count = len(self.tokens)
        return ModelResponse(
            input_tokens=request.input_ids,
            output_tokens=self.tokens,
            output_logprobs=[0.0] * count,
            output_versions=[0] * count,
            stop_reason="stop",
        )


async def rewards() -> List[float]:
    """Returns the rewards in the tensors of all episodes."""
    rows = asked()
    tokenizer = trained_tokenizer([row["prompt"] for row, _ in rows])
    workflow = RLVRWorkflow(
        reward_fn="codelinter.areal.reward_fn", gconfig=GenerationHyperparameters(), tokenizer=tokenizer
    )

    async def episode(row: Any, answer: str) -> float:
        data = {"messages": [{"role": "user", "content": row["prompt"]}], "task": row["task"]}
        engine = Engine(tokenizer(answer + tokenizer.eos_token)["input_ids"])
        return float((await workflow.arun_episode(engine, data))["rewards"].item())

    first = await episode(*rows[0])  # which makes the function out of its name
    return [first, *await asyncio.gather(*(episode(*row) for row in rows[1:]))]


def main() -> None:
    made = asyncio.run(rewards())
    good = [v.guarded == "pass" for v in verdicts((row["id"], answer) for row, answer in asked())]
    rewards_are(made, good, f"areal {version('areal')}")


if __name__ == "__main__":
    main()
