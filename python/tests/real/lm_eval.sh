# lm_eval run over the open set: the stub's one program has no faults and does what no task's program does.
lm_eval run --include_path "$(python -m codelinter.lm_eval)" --tasks codelintereval --model local-chat-completions \
  --model_args "model=stub,base_url=$OPENAI_BASE_URL/chat/completions,num_concurrent=4" --apply_chat_template --output_path out --log_samples
python - <<'END'
import glob, json

(name,) = glob.glob("out/**/results_*.json", recursive=True)
results = json.load(open(name))["results"]["codelintereval"]
assert results["pass@1,scoring"] == 1.0 and results["guarded_pass@1,scoring"] < 0.1, results
print(results)
END
