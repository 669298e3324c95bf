"""312 answers through verl's reward managers naive, dapo and batch, and through its reward loop under Ray.

The configuration is verl's own for PPO, the rows are those of `codelinter dataset
export --for verl`, and what is checked is the tensor that a trainer gets.
"""

from __future__ import annotations

import copy
import json
import os
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Any, Dict, List

os.environ["HF_HUB_OFFLINE"] = os.environ["TRANSFORMERS_OFFLINE"] = "1"

import numpy as np
import torch
import verl
from hydra import compose, initialize_config_dir
from of_eval import asked, rewards_are, verdicts
from ray_start import start_ray
from trained_tokenizer import trained_tokenizer
from verl.trainer.ppo.reward import extract_reward, get_custom_reward_fn
from verl.workers.reward_manager import get_reward_manager_cls


def config_of(manager: str, function: str, **settings: Any) -> Any:
    """Returns verl's configuration with a reward function of ours."""
    overrides = [
        "reward.custom_reward_function.path=pkg://codelinter.verl",
        f"reward.custom_reward_function.name={function}",
        f"reward.reward_manager.name={manager}",
        "reward.num_workers=2",
        "actor_rollout_ref.model.path=model",
        *(f"+reward.custom_reward_function.reward_kwargs.{name}={value}" for name, value in settings.items()),
    ]
    with initialize_config_dir(str(Path(verl.__file__).parent / "trainer/config"), version_base=None):
        return compose("ppo_trainer", overrides)


def batch_of(rows: List[Dict[str, Any]], answers: List[str], tokenizer: Any) -> Any:
    """Returns what a rollout hands to verl's reward managers."""
    prompts = [tokenizer.apply_chat_template(row["prompt"], add_generation_prompt=True, tokenize=False) for row in rows]
    left = tokenizer(prompts, padding=True, padding_side="left", return_tensors="pt")
    ended = [answer + tokenizer.eos_token for answer in answers]
    right = tokenizer(ended, padding=True, padding_side="right", return_tensors="pt")
    return verl.DataProto.from_dict(
        tensors={
            "prompts": left["input_ids"],
            "responses": right["input_ids"],
            "attention_mask": torch.cat([left["attention_mask"], right["attention_mask"]], dim=1),
        },
        non_tensors={
            name: np.array([copy.deepcopy(row[name]) for row in rows], dtype=object)
            for name in ("data_source", "reward_model", "extra_info")
        },
    )


def check(name: str, rewards: torch.Tensor, extra: Dict[str, Any], good: List[bool]) -> None:
    """Requires of a batch's tensor that it has each answer's reward, and of the numbers that each answer has them."""
    rewards_are(rewards.sum(dim=1).tolist(), good, f"verl {name}")
    for key in ("score", "acc", "guarded", "findings", "milliseconds"):
        assert len(extra[key]) == len(good), (key, len(extra[key]))


def main() -> None:
    subprocess.run(["codelinter", "dataset", "export", "--for", "verl", "-o", "train.jsonl"], check=True)
    exported = [json.loads(line) for line in open("train.jsonl", encoding="utf-8")]
    tasks = {row["extra_info"]["id"]: row for row in exported}
    rows = [tasks[row["id"]] for row, _ in asked()]
    answers = [answer for _, answer in asked()]
    tokenizer = trained_tokenizer([task["prompt"][0]["content"] for task in exported])
    tokenizer.save_pretrained("model")
    found = verdicts((row["extra_info"]["id"], answer) for row, answer in zip(rows, answers))
    guarded = [verdict.guarded == "pass" for verdict in found]
    official = [verdict.official for verdict in found]

    for manager, function in (("naive", "compute_score"), ("dapo", "compute_score"), ("batch", "compute_scores")):
        for verdict, good in (("guarded", guarded), ("official", official)):
            score = get_custom_reward_fn(config_of(manager, function, verdict=verdict))
            made = get_reward_manager_cls(manager)(tokenizer=tokenizer, num_examine=0, compute_score=score)
            result = made(batch_of(rows, answers, tokenizer), return_dict=True)
            check(f"{manager}, {verdict}", result["reward_tensor"], result["reward_extra_info"], good)

    start_ray()
    from verl.experimental.reward_loop import RewardLoopManager

    for manager, function in (("naive", "acompute_score"), ("dapo", "compute_score")):
        loop = RewardLoopManager(config_of(manager, function))
        tensor, extra = extract_reward(loop.compute_rm_score(batch_of(rows, answers, tokenizer)))
        check(f"reward loop {manager}, {function}", tensor, extra, guarded)
        import ray

        for worker in loop.reward_loop_workers:
            ray.kill(worker)
    print(f"verl {version('verl')}, ray {version('ray')}, torch {torch.__version__}")


if __name__ == "__main__":
    main()
