# inspect eval over tasks of the open set, each answered in thirteen ways: the scores are those of `codelinter eval`.
here=$(dirname "${BASH_SOURCE[0]}")
export PYTHONPATH=$here OPENAI_BASE_URL=http://127.0.0.1:8769/v1
python -c 'from of_eval import write_answers; write_answers("answers.json")'
python "$here/model_stub.py" 8769 answers.json &
stub=$!
trap 'kill $stub' EXIT
inspect eval codelinter/codelintereval --model openai/stub -M responses_api=false --limit 26 -T epochs=13 --log-dir logs --log-format json --display plain
python - <<'END'
import glob, json

from of_eval import rewards_are, verdicts

(name,) = glob.glob("logs/*.json")
log = json.load(open(name))
assert log["status"] == "success", log.get("error")
samples = log["samples"]
assert len(samples) == 338, len(samples)
found = verdicts([(sample["id"], sample["output"]["choices"][0]["message"]["content"] or "") for sample in samples])
for scorer, good in (("guarded", [v.guarded == "pass" for v in found]), ("official", [v.official for v in found])):
    rewards_are([float(sample["scores"][scorer]["value"] == "C") for sample in samples], good, f"inspect_ai: {scorer}")
END
