"""Five steps of TRL's GRPOTrainer on a model with random weights, rewards sync and async, and five steps by `trl grpo`.

The model's tokens are whole programs: what it writes at random is an answer, a pass
now and then, and the rewards are not all the same.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, List

os.environ["HF_HUB_OFFLINE"] = os.environ["TRANSFORMERS_OFFLINE"] = "1"

import pandas
import torch
import trl
from datasets import load_dataset
from of_eval import answers_of, counting_binary, rewards_are, verdicts
from trained_tokenizer import trained_tokenizer
from transformers import LlamaConfig, LlamaForCausalLM

from codelinter.trl import AsyncCleanReward, CleanReward

STEPS = 5
TASKS = 4


def check(output: str, columns: List[str]) -> None:
    """Requires of the completions that TRL logged that each column of rewards is what eval says."""
    logged = pandas.concat([pandas.read_parquet(file) for file in sorted(Path(output, "completions").iterdir())])
    assert sorted(set(logged["step"])) == list(range(1, STEPS + 1)), logged["step"]
    rows = [json.loads(line) for line in open("data/train.jsonl", encoding="utf-8")]
    ids = {row["prompt"][0]["content"]: str(i + 1) for i, row in enumerate(rows)}
    answers = [(ids[p[0]["content"]], c[0]["content"]) for p, c in zip(logged["prompt"], logged["completion"])]
    found = verdicts(answers)
    for column in columns:
        good = [v.official if column.endswith("_official") else v.guarded == "pass" for v in found]
        rewards_are(list(logged[column]), good, f"{output}: {column}")


def main() -> None:
    subprocess.run(["codelinter", "dataset", "export", "--for", "trl", "-o", "all.jsonl"], check=True)
    Path("data").mkdir()
    with open("data/train.jsonl", "w", encoding="utf-8") as file:
        file.writelines(open("all.jsonl", encoding="utf-8").readlines()[:TASKS])
    data = load_dataset("data", split="train")
    answers = list(dict.fromkeys(answer for row in data for answer in answers_of(row["task"])))
    tokenizer = trained_tokenizer([row["prompt"][0]["content"] for row in data], answers)
    torch.manual_seed(1)
    shape = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer), **shape, pad_token_id=tokenizer.pad_token_id, eos_token_id=tokenizer.eos_token_id
        )
    )
    model.save_pretrained("model")
    tokenizer.save_pretrained("model")
    allowed = {tokenizer.convert_tokens_to_ids(answer) for answer in answers} | {tokenizer.eos_token_id}
    suppressed = [token for token in range(len(tokenizer)) if token not in allowed]

    settings: Any = {
        "max_steps": STEPS,
        "per_device_train_batch_size": 64,
        "num_generations": 16,
        "max_completion_length": 2,
        "learning_rate": 0.01,
        "logging_steps": 1,
        "log_completions": True,
        "save_strategy": "no",
        "report_to": "none",
        "use_cpu": True,
        "bf16": False,
    }
    before = model.lm_head.weight.detach().clone()
    os.environ["CODELINTER_BINARY"] = counting_binary("started")
    rewards = [CleanReward(), CleanReward(verdict="official"), CleanReward(reward="graded*meaning"), AsyncCleanReward()]
    names = ["clean_reward", "clean_reward_official", "clean_reward_graded_meaning", "async_clean_reward"]
    trainer = trl.GRPOTrainer(
        model=model,
        reward_funcs=rewards,
        args=trl.GRPOConfig("out", generation_kwargs={"suppress_tokens": suppressed}, **settings),
        train_dataset=data,
        processing_class=tokenizer,
    )
    trainer.train()
    assert trainer.state.global_step == STEPS
    logs = [log for log in trainer.state.log_history if "reward" in log]
    assert len(logs) == STEPS, trainer.state.log_history
    for name in names:
        assert all({f"rewards/{name}/mean", f"{name}/guarded", f"{name}/findings"} <= log.keys() for log in logs), logs[
            0
        ]
        print(
            f"{name}: {logs[-1][f'rewards/{name}/mean']:.3f}, official {logs[-1][f'{name}/official']:.3f}", flush=True
        )
    children = len(open("started", encoding="utf-8").readlines())
    assert children == 1, children
    print("three rewards of one class and an async one, one child", flush=True)
    assert not torch.equal(before, model.lm_head.weight), "the rewards changed nothing"
    check("out", ["clean_reward", "clean_reward_official", "async_clean_reward"])

    command = ["trl", "grpo", "--model_name_or_path", "model", "--dataset_name", "data", "--output_dir", "by_command"]
    for name, value in settings.items():
        command += [f"--{name}", str(value)]
    command += ["--generation_kwargs", json.dumps({"suppress_tokens": suppressed})]
    subprocess.run([*command, "--reward_funcs", "codelinter.trl.clean_reward"], check=True)
    check("by_command", ["clean_reward"])
    print(f"trl {trl.__version__}, torch {torch.__version__}: {STEPS} steps by GRPOTrainer, {STEPS} by trl grpo")


if __name__ == "__main__":
    main()
