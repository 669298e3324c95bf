# inspect eval over the open set: the stub's one program has no faults and does what no task's program does.
inspect eval codelinter/codelintereval --model openai/stub -M responses_api=false --log-dir logs --log-format json --display plain
python - <<'END'
import glob, json

(name,) = glob.glob("logs/*.json")
log = json.load(open(name))
assert log["status"] == "success", log.get("error")
scores = {score["name"]: score["metrics"]["accuracy"]["value"] for score in log["results"]["scores"]}
assert len(log["samples"]) == 121 and scores["official"] == 1.0 and scores["guarded"] < 0.1, scores
print(scores)
END
