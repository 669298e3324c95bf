"""GRPO with a lint reward, by TRL, on a CPU in a few minutes: pip install trl, and the wheel of codelinter.

    python grpo.py

The model is tiny and has random weights: nothing is downloaded. A prompt is one of its tokens,
and so is an answer, so that what it writes is a program from the first step on, and the mean
reward rises within some dozens of steps. For a model of your own replace `tiny()` by its name, and TASKS by
`codelinter dataset export --for trl`.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Tuple

import torch
from datasets import Dataset
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer

import codelinter.trl

STEPS = 30
TASKS = 4


def tasks() -> List[Dict[str, Any]]:
    """Returns rows with a prompt and a task, as codelinter exports them for TRL."""
    Path("train.jsonl").unlink(missing_ok=True)
    command = [codelinter.find_binary(), "dataset", "export", "--for", "trl", "-o", "train.jsonl"]
    subprocess.run(command, check=True)
    return [json.loads(line) for line in Path("train.jsonl").read_text(encoding="utf-8").splitlines()[:TASKS]]


def tiny(texts: List[str]) -> Tuple[LlamaForCausalLM, PreTrainedTokenizerFast]:
    """Returns a model with random weights whose tokens are bytes and whole texts."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    special = ["<|pad|>", "<|im_end|>"]
    vocabulary = {token: i for i, token in enumerate([*special, *alphabet])}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_tokens([AddedToken(text, normalized=False) for text in texts])
    chat = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}assistant: "
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token=special[0], eos_token=special[1], chat_template=chat
    )
    torch.manual_seed(1)
    config = LlamaConfig(
        vocab_size=len(fast),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        pad_token_id=fast.pad_token_id,
        eos_token_id=fast.eos_token_id,
    )
    return LlamaForCausalLM(config), fast


def main() -> None:
    rows = tasks()
    programs = [json.loads(row["task"]) for row in rows]
    answers = [t["meta"]["canonical_code"] for t in programs] + [t["inputs"]["code"] for t in programs] + ["x = (\n"]
    answers = list(dict.fromkeys(answers))
    torch.set_num_threads(1)  # the model is too small for more
    model, tokenizer = tiny([message["content"] for row in rows for message in row["prompt"]] + answers)
    allowed = {tokenizer.convert_tokens_to_ids(answer) for answer in answers} | {tokenizer.eos_token_id}
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=[
            codelinter.trl.CleanReward(),
            codelinter.trl.CleanReward(reward="graded*meaning + 0.5*empty"),
            codelinter.trl.CleanReward(verdict="official"),
        ],
        args=GRPOConfig(
            "out",
            max_steps=STEPS,
            per_device_train_batch_size=64,
            num_generations=16,
            max_completion_length=2,
            learning_rate=0.02,
            logging_steps=1,
            save_strategy="no",
            report_to="none",
            use_cpu=True,
            bf16=False,
            generation_kwargs={"suppress_tokens": [i for i in range(len(tokenizer)) if i not in allowed]},
        ),
        train_dataset=Dataset.from_list(rows),
        processing_class=tokenizer,
    )
    trainer.train()
    means = [log["reward"] for log in trainer.state.log_history if "reward" in log]
    first, last = sum(means[:5]) / 5, sum(means[-5:]) / 5
    print(f"mean reward of the first five steps {first:.2f}, of the last five {last:.2f}")
    log = next(log for log in reversed(trainer.state.log_history) if "reward" in log)
    print(
        json.dumps(
            {name: round(float(value), 3) for name, value in sorted(log.items()) if "clean_reward" in name}, indent=1
        )
    )


if __name__ == "__main__":
    main()
