# vf-eval over tasks of the open set, each answered in thirteen ways: the rewards are those of `codelinter eval`, whatever blanks an answer has.
here=$(dirname "${BASH_SOURCE[0]}")
export PYTHONPATH=$here
python -c 'from of_eval import write_answers; write_answers("answers.json")'
python "$here/model_stub.py" 8767 answers.json &
stub=$!
trap 'kill $stub' EXIT
vf-eval codelintereval -m stub --no-push --select.limit 26 --num-rollouts 13 --max-concurrent 8 --env.agent.runtime.type subprocess \
  --client.type eval --client.base-url http://127.0.0.1:8767/v1 --client.api-key-var OPENAI_API_KEY
python - <<'END'
import glob, json

from of_eval import rewards_are, verdicts

(name,) = glob.glob("outputs/*/traces.jsonl")
traces = [trace for line in open(name) for trace in json.loads(line)["traces"]]
assert len(traces) == 338 and all(trace["ok"] for trace in traces), [trace["errors"] for trace in traces if not trace["ok"]][:3]
replies = [[node["message"].get("content") or "" for node in trace["nodes"] if node["message"]["role"] == "assistant"] for trace in traces]
found = verdicts([(trace["task"]["data"]["id"], said[-1]) for trace, said in zip(traces, replies)])
rewards_are([trace["rewards"]["clean"]["score"] for trace in traces], [v.guarded == "pass" for v in found], "verifiers: guarded")
rewards_are([trace["metrics"]["official"] for trace in traces], [v.official for v in found], "verifiers: official")
END

# Three answers, with the findings of the last in between: the second is good.
python - <<'END'
import json

from of_eval import open_set

rows = [(row["prompt"], json.loads(row["task"])) for row in open_set(4)]
answers = [[prompt, [task["inputs"]["code"], task["meta"]["canonical_code"], "x=1"]] for prompt, task in rows]
json.dump(answers, open("turns.json", "w"))
END
kill $stub
python "$here/model_stub.py" 8768 turns.json &
stub=$!
rm -r outputs
vf-eval codelintereval -m stub --no-push --select.limit 4 --num-rollouts 1 --env.turns 3 --env.agent.runtime.type subprocess \
  --client.type eval --client.base-url http://127.0.0.1:8768/v1 --client.api-key-var OPENAI_API_KEY
python - <<'END'
import glob, json

(name,) = glob.glob("outputs/*/traces.jsonl")
traces = [trace for line in open(name) for trace in json.loads(line)["traces"]]
turns = [(trace["metrics"]["turn_1_reward"], trace["metrics"]["turn_2_reward"], trace["rewards"]["clean"]["score"]) for trace in traces]
assert turns == [(0.0, 1.0, 1.0)] * 4, turns
print("4 episodes of two turns: 0.0, then 1.0")
END
