# vf-eval over tasks of the open set: the stub's one program has no faults and does what no task's program does.
vf-eval codelintereval --model stub --client.base-url "$OPENAI_BASE_URL" --client.api-key-var OPENAI_API_KEY --select.limit 8
