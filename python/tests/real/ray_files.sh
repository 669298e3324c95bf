# codelinter.ray score and lint, as docs/scale.md has them: the verdicts are those of `codelinter eval`, and a second run does nothing and says the same.
here=$(dirname "${BASH_SOURCE[0]}")
export PYTHONPATH=$here
codelinter dataset open >tasks.jsonl
python - <<'PYTHON'
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from of_eval import asked

rows = [{"id": row["id"], "row": i, "completion": answer} for i, (row, answer) in enumerate(asked())]
pq.write_table(pa.Table.from_pylist(rows), "answers.parquet", row_group_size=100)
Path("corpus").mkdir()
programs = ["x = 1\n", "x=1\n", "x = (\n"]
Path("corpus/programs.jsonl").write_text("".join(json.dumps({"code": programs[i % 3], "at": i}) + "\n" for i in range(99)))
PYTHON
for run in first second; do
  bash -euo pipefail <(python "$here/documented.py" docs/scale.md 'codelinter.ray score') | tee "score_$run" || [[ $? == 1 ]]
  bash -euo pipefail <(python "$here/documented.py" docs/scale.md 'codelinter.ray lint') | tee "lint_$run"
done
python - <<'PYTHON'
import json

import pyarrow.parquet as pq
from of_eval import asked, rewards_are, verdicts

found = sorted(pq.read_table("scores").to_pylist(), key=lambda row: row["row"])
good = [verdict.guarded == "pass" for verdict in verdicts([(row["id"], answer) for row, answer in asked()])]
rewards_are([row["reward"] for row in found], good, "ray")
kept = pq.read_table("kept").to_pylist()
assert [row["at"] for row in kept] == list(range(0, 99, 3)), kept
for name, expected in (("score", {"rows": len(good), "guarded": sum(good), "errors": 0}), ("lint", {"rows": 99, "kept": 33, "rejected": 66})):
    for run in ("first", "second"):
        sums = json.load(open(f"{name}_{run}"))
        assert {key: sums[key] for key in expected} == expected, (run, sums)
print("ray: a run that was done says the sums of the whole")
PYTHON
