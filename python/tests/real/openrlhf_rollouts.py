"""312 rollouts of OpenRLHF's executor by file, and 312 by HTTP while the server is killed and started again.

The engine is a stand-in that has the answers; tokens, prompts, queries, retries and
rewards are OpenRLHF's own.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, Dict, List, Tuple

from of_eval import asked, rewards_are, verdicts
from openrlhf.utils.agent import SingleTurnAgentExecutor
from trained_tokenizer import trained_tokenizer

ADDRESS = "127.0.0.1:8766"


class Engine:
    """Answers each prompt with its next answer, as vLLM's engine answers."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        self.answers: Dict[Tuple[int, ...], List[str]] = {}

    async def generate(self, prompt: List[int], params: Any, multi_modal_data: Any = None) -> Any:
        tokens = self.tokenizer(self.answers[tuple(prompt)].pop(0) + self.tokenizer.eos_token)["input_ids"]
        return SimpleNamespace(outputs=[SimpleNamespace(token_ids=tokens, finish_reason="stop", logprobs=None)])


class Server:
    """`codelinter serve`, which is killed and started again when half of the rollouts are done."""

    def __init__(self) -> None:
        self.process = self.started()

    def started(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(["codelinter", "serve", "--listen", ADDRESS], stderr=subprocess.DEVNULL)
        while True:
            with suppress(OSError), urllib.request.urlopen(f"http://{ADDRESS}/healthz", timeout=5):
                return process
            assert process.poll() is None, f"codelinter serve ended with {process.returncode}"
            time.sleep(0.05)

    def restart(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process = self.started()


async def rollouts(endpoint: str, tokenizer: Any, server: Any = None) -> List[Dict[str, Any]]:
    """Returns what the executor makes of each rollout, 64 of them at a time, in their order."""
    rows = asked()
    engine = Engine(tokenizer)
    for row, answer in rows:
        engine.answers.setdefault(tuple(tokenizer(row["prompt"])["input_ids"]), []).append(answer)
    executor = SingleTurnAgentExecutor(endpoint)
    params = SimpleNamespace(max_tokens=4096, logprobs=None)
    at_once = asyncio.Semaphore(64)
    done = 0

    async def one(row: Dict[str, str]) -> Dict[str, Any]:
        nonlocal done
        async with at_once:
            output: Dict[str, Any] = await executor.execute(
                row["prompt"], row["task"], params, 1 << 20, tokenizer, engine
            )
        done += 1
        if server is not None and done == len(rows) // 2:
            await asyncio.to_thread(server.restart)
        return output

    begin = time.monotonic()
    outputs = await asyncio.gather(*(one(row) for row, _ in rows))
    print(f"{endpoint}: {len(outputs)} rollouts in {time.monotonic() - begin:.1f} s", flush=True)
    missing = sum(output["reward"] is None for output in outputs)
    assert missing == 0, f"{missing} rollouts have no reward"
    return outputs


def value(number: Any) -> float:
    """Returns a reward, which is a list of one by HTTP and a number by file."""
    return float(number[0] if isinstance(number, list) else number)


def main() -> None:
    tokenizer = trained_tokenizer([row["prompt"] for row, _ in asked()])
    good: List[bool] = []
    for name in ("file", "http"):
        if name == "file":
            file = subprocess.check_output([sys.executable, "-m", "codelinter.openrlhf"], text=True).strip()
            outputs = asyncio.run(rollouts(file, tokenizer))
        else:
            server = Server()
            first = server.process.pid
            try:
                outputs = asyncio.run(rollouts(f"http://{ADDRESS}/openrlhf", tokenizer, server))
                assert server.process.pid != first, "the server was not killed"
            finally:
                server.process.kill()
        good = good or [v.guarded == "pass" for v in verdicts((row["id"], answer) for row, answer in asked())]
        rewards_are([value(output["reward"]) for output in outputs], good, f"openrlhf by {name}")
        assert all(output["scores"] == output["reward"] and output["extra_logs"] for output in outputs)


if __name__ == "__main__":
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    main()
