"""200,000 answers from Parquet to Parquet on two actors, whose children are killed meanwhile.

The verdicts are those of `codelinter eval`, and each id is there once. What it was
for is in docs/scale.md.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import codelinter.ray
from codelinter._adapter import tasks_with_prompts

ROWS = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000

chance = random.Random(1)
programs = {}
for row in tasks_with_prompts():
    task = json.loads(row["task"])
    programs[row["id"]] = [task["inputs"]["code"], task["meta"]["canonical_code"], "x = 1\n", "def f(:\n", ""]
names = list(programs)
rows = []
for i in range(ROWS):
    name = names[i % len(names)]
    code = chance.choice(programs[name])
    rows.append({"id": f"r{i}", "task_id": name, "completion": f"```python\n{code}# {i}\n```"})
pq.write_table(pa.Table.from_pylist(rows), "in.parquet", row_group_size=5000)

killed = 0
done = threading.Event()


def kill() -> None:
    """Kills a child of a worker every two seconds."""
    global killed
    while not done.wait(2):
        for entry in Path("/proc").iterdir():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                ours = os.getpgid(int(entry.name)) and b"stream" in words[1:2] and b"codelinter" in words[0]
            except (ValueError, OSError):
                continue
            if ours:
                os.kill(int(entry.name), signal.SIGKILL)
                killed += 1
                break


killer = threading.Thread(target=kill)
killer.start()
try:
    sums = codelinter.ray.score_files("in.parquet", "out", actors=2, verdict="official", timeout=120)
finally:
    done.set()
    killer.join()
print(sums, f"{killed} children killed")

table = pq.read_table("out")
ids = table.column("id").to_pylist()
assert len(ids) == len(set(ids)) == ROWS, len(ids)
by_id = dict(zip(ids, table.column("official").to_pylist()))

with open("samples.jsonl", "w", encoding="utf-8") as file:
    for name in names:
        outputs = [row["completion"] for row in rows if row["task_id"] == name]
        file.write(json.dumps({"id": name, "outputs": outputs}) + "\n")
subprocess.run(
    ["codelinter", "eval", "--no-guard", "--samples", "samples.jsonl", "-o", "results.jsonl", "--k", "1"],
    check=True,
    stdout=subprocess.DEVNULL,
)
of_task = {name: [row["id"] for row in rows if row["task_id"] == name] for name in names}
differ: Counter[str] = Counter()
compared = 0
for line in open("results.jsonl", encoding="utf-8"):
    result = json.loads(line)
    if "samples" not in result:
        continue
    name = str(result["id"])
    for row_id, sample in zip(of_task[name], result["samples"]):
        compared += 1
        differ[name] += by_id[row_id] != sample["official"]
assert compared == ROWS, compared
assert not sum(differ.values()), differ
print(f"{compared} rows, the same verdict as codelinter eval")
