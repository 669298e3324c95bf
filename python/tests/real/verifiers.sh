# vf-eval over tasks of the open set: the stub's one program has no faults and does what no task's program does.
vf-eval codelintereval -m stub --no-push --select.limit 8 --env.agent.runtime.type subprocess \
  --client.type eval --client.base-url "$OPENAI_BASE_URL" --client.api-key-var OPENAI_API_KEY
python - <<'END'
import glob, json

(name,) = glob.glob("outputs/*/traces.jsonl")
traces = [trace for line in open(name) for trace in json.loads(line)["traces"]]
scores = [(trace["metrics"]["official"], trace["rewards"]["clean"]["score"]) for trace in traces]
assert scores == [(1.0, 0.0)] * 8, scores
print(f"{len(scores)} episodes: official 1.0, guarded 0.0 each")
END
