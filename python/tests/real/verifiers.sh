# vf-eval, as README.md has it, and over tasks of the open set that are each answered in thirteen ways: the rewards are those of `codelinter eval`, whatever
# blanks an answer has.
here=$(dirname "${BASH_SOURCE[0]}")
export PYTHONPATH=$here
python -c 'from of_eval import write_answers; write_answers("answers.json", 1000)'
python "$here/model_stub.py" 8000 answers.json &
stub=$!
trap 'kill $stub' EXIT
check() {
  python - "$@" <<'PYTHON'
import glob, json, sys

from of_eval import rewards_are, verdicts

(name,) = glob.glob("outputs/*/traces.jsonl")
traces = [trace for line in open(name) for trace in json.loads(line)["traces"]]
assert len(traces) == int(sys.argv[1]), len(traces)
assert all(trace["ok"] for trace in traces), [trace["errors"] for trace in traces if not trace["ok"]][:3]
replies = [[node["message"].get("content") or "" for node in trace["nodes"] if node["message"]["role"] == "assistant"] for trace in traces]
found = verdicts([(trace["task"]["data"]["id"], said[-1]) for trace, said in zip(traces, replies)])
rewards_are([trace["rewards"]["clean"]["score"] for trace in traces], [v.guarded == "pass" for v in found], "verifiers: guarded")
rewards_are([trace["metrics"]["official"] for trace in traces], [v.official for v in found], "verifiers: official")
PYTHON
  rm -r outputs
}
bash -euo pipefail <(python "$here/documented.py" python/README.md OPENAI_BASE_URL= 'vf-eval')
check 121

vf-eval codelintereval -m stub --no-push --select.limit 26 --num-rollouts 13 --max-concurrent 8 --env.agent.runtime.type subprocess \
  --client.type eval --client.base-url http://localhost:8000/v1 --client.api-key-var OPENAI_API_KEY
check 338

# Three turns: the first episode needs one, the second two, the third three.
python - <<'PYTHON'
import json

from of_eval import open_set

rows = [(row["prompt"], json.loads(row["task"])) for row in open_set(3)]
answers = [[prompt, [task["inputs"]["code"]] * i + [task["meta"]["canonical_code"]]] for i, (prompt, task) in enumerate(rows)]
json.dump(answers, open("turns.json", "w"))
PYTHON
kill $stub
python "$here/model_stub.py" 8000 turns.json &
stub=$!
CODELINTER_BINARY=$(python -c 'from of_eval import counting_binary; print(counting_binary("started"))') \
  vf-eval codelintereval -m stub --no-push --select.limit 3 --num-rollouts 1 --env.turns 3 --env.agent.runtime.type subprocess \
  --client.type eval --client.base-url http://localhost:8000/v1 --client.api-key-var OPENAI_API_KEY
python - <<'PYTHON'
import glob, json

(name,) = glob.glob("outputs/*/traces.jsonl")
traces = [trace for line in open(name) for trace in json.loads(line)["traces"]]
turns = sorted([trace["metrics"][f"turn_{i}_reward"] for i in (1, 2, 3)] for trace in traces)
assert turns == [[0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0]], turns
children = len(open("started").readlines())
assert children == 1, children
print("3 episodes of up to three turns, each in the metrics of each turn; one child")
PYTHON
