"""An evaluation by inspect_ai: pip install inspect_ai openai, and the wheel of codelinter.

    python eval_inspect.py

The model is inspect_ai's mock, which answers each of the first eight tasks with the same program:
nothing is downloaded. For a model of your own give its name, such as
`python eval_inspect.py openai/NAME`, with OPENAI_BASE_URL for a server of yours.
"""

from __future__ import annotations

import sys
from typing import Any, List

from inspect_ai import eval as evaluate
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from codelinter.inspect_ai import codelintereval


def answers() -> List[ModelOutput]:
    """Returns the mock's answers: with usage, or it would fetch a tokenizer to count."""
    output = ModelOutput.from_content("mockllm/model", "```python\nx = 1\n```")
    output.usage = ModelUsage()
    return [output] * 16


def main() -> None:
    model: Any = sys.argv[1] if len(sys.argv) > 1 else get_model("mockllm/model", custom_outputs=answers())
    arguments = {"responses_api": False} if str(model).startswith("openai/") else {}
    (log,) = evaluate(
        codelintereval(turns=2), model=model, limit=8, display="plain", log_dir="logs", model_args=arguments
    )
    assert log.status == "success", log.error
    for sample in log.samples or []:
        score = (sample.scores or {})["guarded"]
        turns = [score.metadata[f"turn_{i}_reward"] for i in (1, 2)]
        print(f"task {sample.id}: {score.value} {turns} {score.explanation or ''}")
    for scored in log.results.scores if log.results else []:
        print(f"{scored.name}: {scored.metrics['accuracy'].value:.3f}")


if __name__ == "__main__":
    main()
