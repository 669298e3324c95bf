# inspect eval, as README.md has it, and over tasks of the open set that are each answered in thirteen ways: the scores are those of `codelinter eval`.
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

(name,) = glob.glob(sys.argv[1] + "/*")
log = json.load(open(name))
assert log["status"] == "success", log.get("error")
samples = log["samples"]
assert len(samples) == int(sys.argv[2]), len(samples)
found = verdicts([(sample["id"], sample["output"]["choices"][0]["message"]["content"] or "") for sample in samples])
for scorer, good in (("guarded", [v.guarded == "pass" for v in found]), ("official", [v.official for v in found])):
    rewards_are([float(sample["scores"][scorer]["value"] == "C") for sample in samples], good, f"inspect_ai: {scorer}")
PYTHON
}
# The page's commands are not told where and how to log.
INSPECT_LOG_DIR=documented INSPECT_LOG_FORMAT=json INSPECT_DISPLAY=plain bash -euo pipefail \
  <(python "$here/documented.py" python/README.md OPENAI_BASE_URL= 'inspect eval')
check documented 121

export OPENAI_BASE_URL=http://localhost:8000/v1
inspect eval codelinter/codelintereval --model openai/stub -M responses_api=false --limit 26 -T epochs=13 --log-dir logs --log-format json --display plain
check logs 338

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
  inspect eval codelinter/codelintereval --model openai/stub -M responses_api=false --limit 3 -T turns=3 --log-dir turns --log-format json --display plain
python - <<'PYTHON'
import glob, json

(name,) = glob.glob("turns/*")
metadata = [sample["scores"]["guarded"]["metadata"] for sample in json.load(open(name))["samples"]]
turns = sorted([row[f"turn_{i}_reward"] for i in (1, 2, 3)] for row in metadata)
assert turns == [[0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0]], turns
children = len(open("started").readlines())
assert children == 1, children
print("3 episodes of up to three turns, each in the metrics of each turn; one child")
PYTHON

# The log that `codelinter eval` writes is valid by inspect_ai's own schema, with a task that has no answer, too.
codelinter dataset open | sed -n 1,3p >three.jsonl
python - <<'PYTHON' >two.jsonl
import json

for line in open("three.jsonl").readlines()[:2]:
    row = json.loads(line)
    print(json.dumps({"id": row["meta"]["id"], "outputs": [row["meta"]["canonical_code"], row["inputs"]["code"]]}))
PYTHON
codelinter eval --tasks three.jsonl --samples two.jsonl --inspect log.json >eval.txt
inspect log schema >schema.json
python - <<'PYTHON'
import json

from jsonschema import Draft202012Validator

schema = {"$ref": "#/components/schemas/EvalLog", "components": json.load(open("schema.json"))["components"]}
errors = [f"{list(error.absolute_path)}: {error.message:.200}" for error in Draft202012Validator(schema).iter_errors(json.load(open("log.json")))]
assert not errors, errors
print("a log of codelinter eval is valid by inspect_ai's schema")
PYTHON
