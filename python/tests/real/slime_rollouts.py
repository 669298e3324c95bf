"""A rollout of 312 samples by slime's own loop, or by that of miles, with the reward by --custom-rm-path.

What generates is a stand-in that has the answers; the rows are read, and the samples made,
rewarded and gathered, by the framework.
"""

from __future__ import annotations

import os
import threading
from argparse import Namespace
from http.server import ThreadingHTTPServer
from importlib import import_module
from importlib.metadata import version
from typing import Any

os.environ["HF_HUB_OFFLINE"] = os.environ["TRANSFORMERS_OFFLINE"] = "1"

import subprocess

from model_stub import Handler
from of_eval import TASKS, answers_of, open_set, rewards_are, verdicts
from trained_tokenizer import trained_tokenizer

SAMPLES = len(answers_of(open_set(1)[0]["task"]))


class Arguments(Namespace):
    """The framework's arguments: what is not given is None."""

    def __getattr__(self, name: str) -> None:
        return None


async def answer(args: Any, sample: Any, sampling_params: Any) -> Any:
    """Is the --custom-generate-function-path."""
    sample.response = answers_of(sample.label)[sample.index % SAMPLES]
    sample.tokens, sample.response_length = [1, 2], 1
    sample.status = sample.Status.COMPLETED
    return sample


def main(framework: str = "slime") -> None:
    subprocess.run(["codelinter", "dataset", "export", "--for", "openrlhf", "-o", "train.jsonl"], check=True)
    trained_tokenizer(row["prompt"] for row in open_set(TASKS)).save_pretrained("model")
    router = ThreadingHTTPServer(("127.0.0.1", 0), Handler)  # which is asked for its engines, and has none
    threading.Thread(target=router.serve_forever, daemon=True).start()
    args = Arguments(
        custom_rm_path="codelinter.slime.reward",
        custom_generate_function_path="slime_rollouts.answer",
        prompt_data="train.jsonl",
        input_key="input",
        label_key="label",
        hf_checkpoint="model",
        metadata_key="metadata",
        rollout_global_dataset=True,
        rollout_batch_size=TASKS,
        over_sampling_batch_size=TASKS,
        n_samples_per_prompt=SAMPLES,
        rollout_max_response_len=4096,
        rollout_temperature=1.0,
        rollout_top_p=1.0,
        rollout_seed=1,
        sglang_server_concurrency=64,
        rollout_num_gpus=1,
        rollout_num_gpus_per_engine=1,
        eval_num_gpus=0,
        sglang_router_ip="127.0.0.1",
        sglang_router_port=router.server_port,
    )
    import_module(f"{framework}.utils.http_utils").init_http_client(args)
    rollout = import_module(f"{framework}.rollout.sglang_rollout").generate_rollout
    source = import_module(f"{framework}.rollout.data_source").RolloutDataSourceWithBuffer(args)
    samples = [sample for group in rollout(args, 0, source).samples for sample in group]
    ids = [row["id"] for row in open_set(TASKS) for _ in range(SAMPLES)]
    good = [v.guarded == "pass" for v in verdicts(zip(ids, (sample.response for sample in samples)))]
    rewards_are([sample.reward for sample in samples], good, f"{framework} {version(framework)}")


if __name__ == "__main__":
    main()
