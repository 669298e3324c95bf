# lm_eval run, as README.md has it, and over tasks of the open set, ten answers of thirteen to each: the scores are those of `codelinter eval`.
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

(name,) = glob.glob(sys.argv[1] + "/**/samples_*.jsonl", recursive=True)
docs = [json.loads(line) for line in open(name)]
answers = [(doc["doc"]["id"], answer) for doc in docs for answer in doc["resps"][0]]
scores = [score for doc in docs for score in doc["filtered_resps"][0]]
each = len(scores) // len(docs)
assert len(scores) == int(sys.argv[2]), len(scores)
good = [verdict.guarded == "pass" for verdict in verdicts(answers)]
rewards_are([float(score.startswith("Score(reward=1.0,")) for score in scores], good, "lm_eval")
for i, doc in enumerate(docs):
    assert abs(doc["guarded_pass@1"] - sum(good[each * i : each * i + each]) / each) < 1e-9, doc["doc_id"]
PYTHON
}
bash -euo pipefail <(python "$here/documented.py" python/README.md OPENAI_BASE_URL= 'lm_eval run')
check scores 121

export OPENAI_BASE_URL=http://localhost:8000/v1
lm_eval run --include_path "$(python -m codelinter.lm_eval)" --tasks codelintereval_10 --limit 31 --model local-chat-completions \
  --model_args "model=stub,base_url=$OPENAI_BASE_URL/chat/completions,num_concurrent=4" --apply_chat_template --output_path out --log_samples
check out 310
