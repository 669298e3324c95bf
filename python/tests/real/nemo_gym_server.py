"""338 rows through the resources server that `python -m codelinter.nemo_gym` writes, served by NeMo Gym's own class."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import subprocess
import sys
import threading
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any, Dict, List, Optional
from unittest.mock import MagicMock

import aiohttp
import uvicorn
from nemo_gym.base_resources_server import ResourcesSeedSessionRequest
from nemo_gym.episode_types import EpisodeId, TaskId
from nemo_gym.server_utils import ServerClient
from nemo_gym.testing.session_conformance import check_resources_session_contract
from of_eval import TASKS, answers_of, rewards_are, verdicts
from omegaconf import OmegaConf

PORT = 8767


def load_server(folder: Path) -> Any:
    """Returns the server of app.py, with the settings of its configuration, as NeMo Gym's own process makes it."""
    spec = importlib.util.spec_from_file_location("app", folder / "app.py")
    assert spec is not None and spec.loader is not None
    app = importlib.util.module_from_spec(spec)
    sys.modules["app"] = app
    spec.loader.exec_module(app)
    written: Any = OmegaConf.to_container(OmegaConf.load(folder / "configs/codelinter.yaml"))
    settings = written["codelinter"]["resources_servers"]["codelinter"]
    config = app.CodeLinterConfig(name="codelinter", host="127.0.0.1", port=PORT, **settings)
    return app.CodeLinterResourcesServer(config=config, server_client=MagicMock(spec=ServerClient))


def response(answer: Optional[str]) -> Dict[str, Any]:
    """Returns a model's reply as NeMo Gym's agents hand it on: after its reasoning a message, or None."""
    text: Dict[str, Any] = {"type": "output_text", "text": answer, "annotations": []}
    message = {"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": [text]}
    reasoning = {"id": "r", "type": "reasoning", "summary": [{"type": "summary_text", "text": "```python\nx=1\n```"}]}
    return {
        "id": "response",
        "created_at": 0.0,
        "model": "stub",
        "object": "response",
        "output": [reasoning] if answer is None else [reasoning, message],
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
    }


async def verify(rows: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
    """Posts rows to /verify, all at once, then their replies to /aggregate_metrics."""
    async with aiohttp.ClientSession(f"http://127.0.0.1:{PORT}") as session:

        async def post(path: str, body: Any) -> Any:
            async with session.post(path, json=body) as reply:
                assert reply.status == 200, (reply.status, await reply.text())
                return await reply.json()

        replies = await asyncio.gather(*(post("/verify", row) for row in rows))
        masked = [reply["failure_reason"] for reply in replies if reply["mask_sample"]]
        assert not masked, f"{len(masked)} masked: {masked[0]}"
        stripped = [
            {
                "_ng_task_index": i // (len(rows) // TASKS),
                "_ng_rollout_index": i % (len(rows) // TASKS),
                **{k: v for k, v in reply.items() if k != "response"},
            }
            for i, reply in enumerate(replies)
        ]
        metrics = await post("/aggregate_metrics", {"verify_responses": stripped})
        mean = metrics["agent_metrics"]["mean/reward"]
        expected = sum(reply["reward"] for reply in replies) / len(replies)
        assert abs(mean - expected) < 1e-9, (mean, expected)
        bad = await post("/verify", {**rows[0], "task": {"inputs": 1}})
        assert (bad["mask_sample"], bad["failure_kind"]) == (True, "codelinter:error"), bad
    return list(replies)


def main() -> None:
    subprocess.run([sys.executable, "-m", "codelinter.nemo_gym", "."], check=True)
    subprocess.run(["codelinter", "dataset", "export", "--for", "nemo-gym", "-o", "train.jsonl"], check=True)
    rows, answers = [], []
    for i, line in enumerate(open("train.jsonl", encoding="utf-8").readlines()[:TASKS]):
        row = json.loads(line)
        for answer in (*answers_of(row["task"]), None):
            rows.append({**row, "response": response(answer)})
            answers.append((str(i + 1), answer or ""))

    app = load_server(Path("resources_servers/codelinter")).setup_webserver()
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=PORT, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server ended"
        time.sleep(0.05)
    replies = asyncio.run(verify(rows))
    server.should_exit = True
    thread.join()
    good = [verdict.guarded == "pass" for verdict in verdicts(answers)]
    rewards_are([reply["reward"] for reply in replies], good, "nemo_gym /verify")

    seed = ResourcesSeedSessionRequest(
        resources_session_id="session",
        episode_id=EpisodeId(rollout_id="rollout"),
        task_id=TaskId(taskset="codelintereval", task_id="1"),
        task_data={},
    )
    check_resources_session_contract(app, seed, keeps_state=False)
    print(f"nemo-gym {version('nemo-gym')}: its contract of sessions holds")


if __name__ == "__main__":
    main()
