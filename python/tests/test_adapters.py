"""Each adapter, called as its framework calls it.

The arguments are recorded from the versions that the adapters name; the frameworks
themselves are not needed. Where an adapter derives from a framework's class,
stubs.py has as much of the framework as that.
"""

from __future__ import annotations

import asyncio
import importlib.util
import inspect
import json
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Dict, Iterator, List, Optional, Tuple

import pytest

import codelinter

from . import stubs

CLEAN = "Here it is:\n```python\nx = 1\n```\n"
FAULTY = "```python\nx=1\n```"
OTHER = "```python\ny = 2\n```"
TASK = {
    "instruction": "Fix this.\n{feedback}\n{code}",
    "inputs": {"code": "x=1\n", "feedback": "E225: missing whitespace around operator in 1 line\n"},
    "outputs": "",
    "meta": {"id": 7, "canonical_code": "x = 1\n"},
}
TEXT = json.dumps(TASK)


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("VERDICT", "REWARD", "TASKS", "TIMEOUT", "STRICT", "ON_UNKNOWN"):
        monkeypatch.delenv(f"CODELINTER_{name}", raising=False)
    yield


# TRL 1.16: GRPOTrainer._calculate_rewards


class Logs:
    """What TRL gives a reward function to log by."""

    def __init__(self) -> None:
        self.metrics: Dict[str, float] = {}
        self.extra: Dict[str, List[Any]] = {}

    def columns(self) -> Dict[str, Any]:
        return {"trainer_state": object(), "log_extra": self.extra.__setitem__, "log_metric": self.metrics.__setitem__}


def chat(text: Any) -> List[Dict[str, Any]]:
    return [{"role": "assistant", "content": text}]


@pytest.mark.parametrize("conversational", [False, True])
def test_trl(conversational: bool) -> None:
    from codelinter.trl import async_clean_reward, clean_reward

    texts: List[Any] = [CLEAN, FAULTY, OTHER, ""]
    completions = [chat(text) for text in texts] if conversational else texts
    logs = Logs()
    arguments = {
        "prompts": [chat("p")] * 4 if conversational else ["p"] * 4,
        "completions": completions,
        "completion_ids": [[1, 2]] * 4,
        "task": [TEXT] * 4,
        **logs.columns(),
    }
    assert clean_reward(**arguments) == [1.0, 0.0, 0.0, 0.0]
    assert asyncio.run(async_clean_reward(**arguments)) == [1.0, 0.0, 0.0, 0.0]
    assert logs.metrics["clean_reward/guarded"] == 0.25
    assert logs.metrics["clean_reward/official"] == 0.75
    assert logs.extra["findings"] == [0, 1, 0, 0]


def test_trl_without_tasks_and_with_odd_messages() -> None:
    from codelinter.trl import CleanReward

    reward = CleanReward("tidy", verdict="official")
    parts = [{"type": "text", "text": "x = "}, {"type": "text", "text": "1\n"}]
    tools = [*chat(None), {"role": "tool", "content": "x=1"}, *chat("x = 1\n")]
    assert reward(prompts=["p"] * 3, completions=[chat(parts), tools, chat(None)]) == [1.0, 1.0, 1.0]
    assert reward(prompts=[], completions=[]) == []


def test_one_bad_completion_costs_one_reward(caplog: pytest.LogCaptureFixture) -> None:
    """It has none, and the log says why; with strict=True it ends the step."""
    from codelinter.trl import AsyncCleanReward, CleanReward

    completions = [chat(CLEAN), [{"role": "user", "content": "x"}], chat(FAULTY), None, chat("x"), chat(CLEAN)]
    tasks = [TEXT, TEXT, TEXT, TEXT, '{"inputs": 1}', TEXT]
    expected = [1.0, None, 0.0, None, None, 1.0]
    logs = Logs()
    arguments = {"prompts": ["p"] * 6, "completions": completions, "task": tasks, **logs.columns()}
    assert CleanReward()(**arguments) == expected
    assert asyncio.run(AsyncCleanReward()(**arguments)) == expected
    assert logs.metrics["clean_reward/error"] == 0.5
    assert logs.metrics["clean_reward/reward"] == pytest.approx(2 / 3)
    assert logs.extra["findings"] == [0, None, 1, None, None, 0]
    assert "completions[3] of 6: expected a text or messages with one of the assistant, found None" in caplog.text
    with pytest.raises(codelinter.Error, match=r"completions\[1\] of 6: expected a text or messages"):
        CleanReward(strict=True)(**arguments)
    with pytest.raises(codelinter.Error, match="none of 2 completions could be scored"):
        CleanReward()(prompts=["p"] * 2, completions=[None, None])


#: A program that never ends: nothing can be said of an answer that is another tree.
ENDLESS = json.dumps({**TASK, "inputs": {"code": "x=1\nwhile True:\n    pass\n"}, "meta": {"id": 8}})
UNKNOWN = "```python\nx = 1\nwhile True:\n    x = 1\n```"


def test_unknown_is_masked_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    from codelinter import areal, openrlhf, slime, trl, verl

    logs = Logs()
    arguments = {"completions": [UNKNOWN, CLEAN], "task": [ENDLESS, TEXT], **logs.columns()}
    assert trl.CleanReward()(**arguments) == [0.0, 1.0]
    assert trl.CleanReward(on_unknown="official")(**arguments) == [1.0, 1.0]
    assert trl.CleanReward(on_unknown="mask")(**arguments) == [None, 1.0]
    assert (logs.metrics["clean_reward/masked"], logs.metrics["clean_reward/unknown"]) == (0.5, 0.5)
    assert logs.metrics["clean_reward/reward"] == 1.0
    found = verl.compute_score(solution_str=UNKNOWN, ground_truth=ENDLESS, on_unknown="mask")
    assert (found["score"], found["masked"], found["unknown"], found["error"]) == (0.0, 1.0, 1.0, 0.0)
    monkeypatch.setenv("CODELINTER_ON_UNKNOWN", "mask")
    logged = openrlhf.reward_func(["p" + UNKNOWN], ["p"], [ENDLESS])["extra_logs"]
    assert isinstance(logged, dict)
    assert (logged["codelinter_masked"], logged["codelinter_error"]) == (1.0, 0.0)
    removed = sample(UNKNOWN, label=ENDLESS)
    assert asyncio.run(slime.reward(SimpleNamespace(reward_key=None), removed)) == 0.0
    assert removed.remove_sample
    monkeypatch.setenv("CODELINTER_ON_UNKNOWN", "official")
    assert areal.reward_fn("p", UNKNOWN, [1], [2], task=ENDLESS) == 1.0
    with pytest.raises(codelinter.Error, match="on_unknown: expected one of"):
        codelinter.Client(on_unknown="none")  # type: ignore[arg-type]


def test_terms_are_logged_everywhere() -> None:
    from codelinter import rewards, trl, verl

    reward = rewards.Sum(rewards.passed(), rewards.edited(0.5))
    logs = Logs()
    arguments = {"completions": [CLEAN, OTHER, None], "task": [TEXT] * 3, **logs.columns()}
    assert trl.CleanReward(reward=reward)(**arguments) == [0.5, -0.5, None]
    assert (logs.metrics["clean_reward/term_passed"], logs.metrics["clean_reward/term_edited"]) == (0.5, -0.5)
    found = verl.compute_score(**verl_sample(CLEAN), reward=reward)
    none = verl.compute_score(**{**verl_sample(CLEAN), "ground_truth": "none"}, reward=reward)
    assert (found["term_passed"], none["term_passed"], list(none)) == (1.0, 0.0, list(found))


def test_a_setting_that_fails_every_row_is_no_row(monkeypatch: pytest.MonkeyPatch) -> None:
    from codelinter.areal import reward_fn

    monkeypatch.setenv("CODELINTER_TIMEOUT", "31")  # a client of this test alone
    for _ in range(63):
        assert reward_fn("p", CLEAN, [1], [2], task="no such task") == 0.0
    with pytest.raises(codelinter.Error, match="no such task"):
        reward_fn("p", CLEAN, [1], [2], task="no such task")
    assert reward_fn("p", CLEAN, [1], [2], task=TEXT) == 1.0
    monkeypatch.setenv("CODELINTER_STRICT", "1")
    with pytest.raises(codelinter.Error, match="no such task"):
        reward_fn("p", CLEAN, [1], [2], task="no such task")
    monkeypatch.setenv("CODELINTER_STRICT", "yes")
    with pytest.raises(codelinter.Error, match="CODELINTER_STRICT: expected 1 or 0, found 'yes'"):
        reward_fn("p", CLEAN, [1], [2], task=TEXT)


def test_verl_without_a_score() -> None:
    from codelinter.verl import compute_score

    good, bad = compute_score(**verl_sample(CLEAN)), compute_score(**{**verl_sample(CLEAN), "ground_truth": "none"})
    assert list(good) == list(bad)
    assert (bad["score"], bad["masked"], good["masked"]) == (0.0, 1.0, 0.0)


def test_trl_names_and_kinds() -> None:
    """TRL names a reward by __name__ and tells coroutines by __call__; accelerate pickles it."""
    from codelinter import rewards, trl

    assert trl.clean_reward.__name__ == "clean_reward"
    assert inspect.iscoroutinefunction(trl.AsyncCleanReward.__call__)
    assert not inspect.iscoroutinefunction(trl.CleanReward.__call__)
    other = pickle.loads(pickle.dumps(trl.AsyncCleanReward("tidier", verdict="official")))  # noqa: S301
    assert (other.__name__, other.client.verdict) == ("tidier", "official")
    for reward in (
        trl.AsyncCleanReward(),
        trl.async_clean_reward,
        other,
    ):
        assert inspect.iscoroutinefunction(reward)
        assert reward.func.__name__ == reward.__name__  # TRL looks there, see its get_callable_name
        assert asyncio.run(reward(prompts=["p"], completions=["x = 1\n"])) == [1.0]
    assert not inspect.iscoroutinefunction(trl.CleanReward())
    with pytest.raises(AttributeError, match="none"):
        print(trl.none)
    # Rewards of one run have names that differ, and those of the next run have them again.
    for _ in range(2):
        made: List[Any] = [
            trl.CleanReward(verdict="official"),
            trl.CleanReward(reward="shaped"),
            trl.CleanReward(reward=rewards.Sum(rewards.passed(), rewards.edited())),
            trl.CleanReward(reward=rewards.Sum(rewards.passed(), rewards.edited(0.2))),
            trl.AsyncCleanReward(on_unknown="mask"),
            trl.CleanReward(verdict="official"),
        ]
        assert [reward.__name__ for reward in made] == [
            "clean_reward",
            "clean_reward_shaped",
            "clean_reward_passed_edited",
            "clean_reward_passed_edited_2",
            "async_clean_reward",
            "clean_reward_official",
        ]
        for reward in made[:4] + made[5:]:
            assert reward(completions=["x = 1\n"]) != [None]
        asyncio.run(made[4](completions=["x = 1\n"]))


def test_rewards_count_their_own_failures() -> None:
    """One reward that gets scores does not hide that another never does."""
    from codelinter.trl import CleanReward

    good, bad = CleanReward(), CleanReward()
    for _ in range(63):
        assert bad(completions=[CLEAN], task=["no such task"]) == [None]
        assert good(completions=[CLEAN], task=[TEXT]) == [1.0]
    with pytest.raises(codelinter.Error, match="no such task"):
        bad(completions=[CLEAN], task=["no such task"])


@pytest.mark.parametrize("missing", [None, "", " "])
def test_a_row_without_its_task_has_no_reward(missing: Optional[str], caplog: pytest.LogCaptureFixture) -> None:
    """Any clean answer would pass without one, so whoever wants no task says so."""
    from codelinter import areal, openrlhf, slime, trl, verl

    arguments: Dict[str, Any] = {"completions": [CLEAN, CLEAN], "task": [TEXT, missing]}
    assert trl.CleanReward()(**arguments) == [1.0, None]
    assert f"expected a dict, its JSON text, an id or NO_TASK, found {missing!r}" in caplog.text
    assert trl.CleanReward(tasks=codelinter.NO_TASK)(completions=[CLEAN], task=[missing]) == [1.0]
    found = verl.compute_score(solution_str=CLEAN, ground_truth=missing, extra_info={})
    assert (found["score"], found["error"]) == (0.0, 1.0)
    assert verl.compute_score(solution_str=CLEAN, ground_truth=missing, tasks="none")["score"] == 1.0
    logged = openrlhf.reward_func(["p" + CLEAN], ["p"], [missing])["extra_logs"]
    assert isinstance(logged, dict)
    assert logged["codelinter_error"] == 1.0
    removed = sample(CLEAN, label=missing)
    assert asyncio.run(slime.reward(SimpleNamespace(reward_key=None), removed)) == 0.0
    assert removed.remove_sample
    assert areal.reward_fn("p", CLEAN, [1], [2], task=missing) == 0.0
    assert areal.reward_fn("p", CLEAN, [1], [2]) == 1.0  # the data set has no such column


def test_a_missing_column_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    from codelinter.trl import CleanReward

    reward = CleanReward(task_column="tsk")
    for _ in range(3):
        assert reward(completions=[CLEAN], task=[TEXT]) == [1.0]
    assert caplog.text.count("there is no column 'tsk': answers are only linted") == 1


# verl 0.9.1: the reward managers naive, dapo and batch, and those of the reward loop


def verl_sample(answer: str, **extra: Any) -> Dict[str, Any]:
    return {
        "data_source": "codelintereval",
        "solution_str": answer,
        "ground_truth": TEXT,
        "extra_info": {"index": 0, "num_turns": None, "rollout_reward_scores": {}, **extra},
    }


def test_verl_one_by_one_from_many_threads() -> None:
    from codelinter.verl import compute_score

    answers = [CLEAN, FAULTY, OTHER, CLEAN + "<|im_end|>", "x = 1\n<|im_end|>\n<|endoftext|>"] * 20
    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(lambda answer: compute_score(**verl_sample(answer)), answers))
    assert [result["score"] for result in results] == [1.0, 0.0, 0.0, 1.0, 1.0] * 20
    assert all(list(result) == list(results[0]) for result in results)
    assert all(type(value) is float for result in results for value in result.values())


def test_verl_async_and_settings() -> None:
    from codelinter.verl import acompute_score, compute_score

    assert inspect.iscoroutinefunction(acompute_score)
    assert not inspect.iscoroutinefunction(compute_score)
    official: Dict[str, Any] = {
        "verdict": "official",
        "reward_router_address": "127.0.0.1:1",
        "reward_model_tokenizer": None,
    }
    assert asyncio.run(acompute_score(**verl_sample(OTHER), **official))["score"] == 1.0
    assert asyncio.run(acompute_score(**verl_sample(OTHER)))["score"] == 0.0


def test_verl_settings_are_never_guessed() -> None:
    from codelinter.verl import compute_score

    with pytest.raises(codelinter.Error, match="reward_kwargs: unknown key 'verdit': did you mean 'verdict'"):
        compute_score(**verl_sample(CLEAN), verdit="official")
    with pytest.raises(codelinter.Error, match="reward_kwargs: unknown key 'x': expected one of verdict"):
        compute_score(**verl_sample(CLEAN), x=1)


def test_verl_batch() -> None:
    from codelinter.verl import compute_scores

    samples = [verl_sample(answer) for answer in (CLEAN, FAULTY)]
    results = compute_scores(
        data_sources=["codelintereval"] * 2,
        solution_strs=[s["solution_str"] for s in samples],
        ground_truths=[None, TEXT],
        extra_infos=[{"task": TEXT}, {}],
    )
    assert [result["score"] for result in results] == [1.0, 0.0]


# OpenRLHF 0.11.2: SingleTurnAgentExecutor._fetch_rewards_via_func


def load_by_path(path: str) -> Any:
    """Loads a file as OpenRLHF does."""
    spec = importlib.util.spec_from_file_location("reward_func", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_openrlhf() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "codelinter.openrlhf"],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=True,
    )
    module = load_by_path(printed.stdout.decode().strip())
    prompt = "<|im_start|>user\nFix this. ```python\nx=1\n```<|im_end|>\n<|im_start|>assistant\n"
    found = module.reward_func([prompt + CLEAN + "<|im_end|>"], [prompt], [TEXT])
    assert (found["rewards"], found["scores"]) == (1.0, 1.0)
    assert found["extra_logs"]["codelinter_guarded"] == 1.0
    # The prompt was cut at its start, or its first token does not show.
    assert module.reward_func([prompt[9:] + FAULTY], [prompt], [TEXT])["rewards"] == 0.0
    assert module.reward_func(["<s>" + prompt + CLEAN], [prompt], [TEXT])["rewards"] == 1.0
    # What the answer is cannot be known: there is no reward to be made up, as over HTTP.
    unknown = module.reward_func(["x = 1\n"], ["Fix: x=1\n"], [TEXT])
    assert (unknown["rewards"], unknown["extra_logs"]["codelinter_error"]) == (0.0, 1.0)
    assert list(unknown["extra_logs"]) == list(found["extra_logs"])
    mixed = module.reward_func([prompt + CLEAN, CLEAN], [prompt] * 2, [TEXT, TEXT])
    assert (mixed["rewards"], mixed["extra_logs"]["codelinter_error"]) == ([1.0, 0.0], 0.5)
    many = module.reward_func([prompt + CLEAN, prompt + OTHER], [prompt] * 2, [TEXT, TEXT])
    assert many["rewards"] == [1.0, 0.0]


# slime and miles: async_rm and batched_async_rm


def sample(response: str, **fields: Any) -> Any:
    return SimpleNamespace(
        **{"prompt": "p", "response": response, "label": TEXT, "metadata": {}, "reward": None, **fields}
    )


def test_slime() -> None:
    from codelinter.slime import reward

    arguments = SimpleNamespace(reward_key=None, rm_url=None)
    assert asyncio.run(reward(arguments, sample(CLEAN + "</s>"))) == 1.0
    samples = [sample(CLEAN), sample(OTHER), sample(OTHER, label=None, metadata={"task": TASK})]
    assert asyncio.run(reward(arguments, samples)) == [1.0, 0.0, 0.0]
    removed = sample(CLEAN, label="none")
    assert asyncio.run(reward(arguments, removed)) == 0.0
    assert removed.remove_sample
    keyed = asyncio.run(reward(SimpleNamespace(reward_key="score"), sample(CLEAN)))
    assert isinstance(keyed, dict)
    assert keyed["score"] == 1.0


# AReaL 1.0.4: RLVRWorkflow, in processes of AsyncRewardWrapper


def test_areal() -> None:
    from codelinter.areal import reward_fn

    assert pickle.loads(pickle.dumps(reward_fn)) is reward_fn  # noqa: S301
    assert reward_fn("p", CLEAN + "<|im_end|>", [1], [2], task=TEXT, answer="unused") == 1.0
    assert reward_fn("p", OTHER, [1], [2], task=TEXT) == 0.0


# SkyRL, verifiers, inspect_ai, NeMo Gym: adapters that derive from their framework's classes


def test_skyrl(monkeypatch: pytest.MonkeyPatch) -> None:
    stubs.install(monkeypatch, "skyrl_gym")
    from codelinter.skyrl import CodeLinterEnv

    env = CodeLinterEnv(env_config={"verdict": "guarded"}, extras={"reward_spec": {"ground_truth": TEXT}})
    step = env.step(CLEAN + "<|im_end|>")
    assert (step["reward"], step["done"], step["observations"]) == (1.0, True, [])
    assert env.get_metrics()["guarded"] == 1.0
    assert CodeLinterEnv(extras={"task": TASK}).step(OTHER)["reward"] == 0.0


def trace_of(*replies: str, root: Optional[str] = None) -> Any:
    """Returns a trace of verifiers with these replies, of which root is the root agent's."""
    messages = [SimpleNamespace(content=reply) for reply in replies]
    trace = SimpleNamespace(
        assistant_messages=messages, root_reply=root, metrics={}, info={}, agent=SimpleNamespace(trainable=True)
    )
    trace.record_metrics = trace.metrics.update
    return trace


def test_verifiers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stubs.install(monkeypatch, "verifiers")
    from codelinter import verifiers

    file = tmp_path / "tasks.jsonl"
    file.write_text(TEXT + "\n", encoding="utf-8")
    config = verifiers.CodeLinterEvalConfig()
    config.tasks = file
    (task,) = list(verifiers.CodeLinterEvalTaskset(config).load())
    assert task.data.id == "7"
    assert "Fix this." in task.data.prompt
    trace = trace_of(CLEAN)
    assert asyncio.run(task.clean(task.data, trace)) == 1.0
    assert trace.metrics["guarded"] == 1.0
    assert asyncio.run(verifiers.clean_reward(SimpleNamespace(), trace_of(FAULTY))) == 0.0
    data = verifiers.CodeLinterEvalData(task=ENDLESS)
    task.config.on_unknown = "mask"
    masked = trace_of(UNKNOWN)
    assert asyncio.run(task.clean(data, masked)) == {}
    assert (masked.metrics["masked"], masked.agent.trainable) == (1.0, False)
    monkeypatch.setenv("CODELINTER_ON_UNKNOWN", "mask")
    with pytest.raises(codelinter.Error, match="no reward: no-reference"):
        asyncio.run(verifiers.clean_reward(SimpleNamespace(task=ENDLESS), trace_of(UNKNOWN)))
    # Without a fence the last newline is the program's, whether or not a harness names the reply, without its blanks.
    for text, reward in (("x = 1\n", 1.0), ("\nx = 1\n", 1.0), ("x = 1", 0.0), ("x = 1\n\n", 0.0)):
        for root in (None, text.strip()):
            assert asyncio.run(task.clean(task.data, trace_of(FAULTY, text, root=root))) == reward, (text, root)
    assert verifiers.reply_of(trace_of(FAULTY, CLEAN, root=FAULTY)) == FAULTY
    assert verifiers.reply_of(trace_of(FAULTY, root="another")) == "another"
    assert verifiers.reply_of(trace_of()) == ""


class Interaction:
    """Stands in for verifiers': each turn has the next answer, and what it was told is kept."""

    def __init__(self, answers: List[str]) -> None:
        self.answers = answers
        self.told: List[Optional[str]] = []
        self.trace = trace_of()

    async def turn(self, message: Optional[str] = None) -> Any:
        self.told.append(message)
        self.trace.assistant_messages.append(SimpleNamespace(content=self.answers[len(self.told) - 1]))
        return SimpleNamespace(terminated=False)

    async def __aenter__(self) -> Interaction:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass


TOLD = "E225: missing whitespace around operator in 1 line\n"


def test_verifiers_over_several_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    stubs.install(monkeypatch, "verifiers")
    from codelinter import verifiers

    data = verifiers.CodeLinterEvalData(task=TEXT)
    for turns, answers, told in (
        (3, [FAULTY, FAULTY, CLEAN], 3),
        (2, [FAULTY, FAULTY, CLEAN], 2),
        (3, [FAULTY, CLEAN, FAULTY], 2),
        (3, [OTHER, FAULTY], 1),  # clean, and what the guarded verdict says of it is not told
    ):
        interaction = Interaction(answers)
        env = verifiers.CodeLinterEvalEnv(verifiers.CodeLinterEvalEnvConfig(turns=turns))
        agent = SimpleNamespace(interaction=lambda task, it=interaction: it)
        asyncio.run(env.run(SimpleNamespace(data=data), SimpleNamespace(agent=agent)))
        assert len(interaction.told) == told
        assert interaction.told[0] is None
        assert all(TOLD in (message or "") for message in interaction.told[1:])
        task = verifiers.CodeLinterEvalTask(data, verifiers.CodeLinterEvalTaskConfig())
        expected = [float(answer == CLEAN) for answer in answers[:told]]
        assert asyncio.run(task.clean(data, interaction.trace)) == expected[-1]
        found = {name: value for name, value in interaction.trace.metrics.items() if name.startswith("turn_")}
        # An episode that needs no more turns has its last reward in each of them.
        expected += expected[-1:] * (turns - told)
        assert found == {f"turn_{i + 1}_reward": reward for i, reward in enumerate(expected)}


def test_turn_rewards() -> None:
    """A mean over episodes has each of them in each turn, but what was cut off and what has no reward."""
    from codelinter._turns import turn_rewards

    with codelinter.Client() as client:
        clean, faulty, other = client.score([CLEAN, FAULTY, OTHER], TASK)
    none = codelinter.Error("none")
    cases: List[Tuple[List[Any], List[Optional[float]]]] = [
        ([clean], [1.0, 1.0, 1.0]),
        ([other], [0.0, 0.0, 0.0]),
        ([faulty, clean], [0.0, 1.0, 1.0]),
        ([faulty, faulty], [0.0, 0.0, None]),  # cut off
        ([faulty, faulty, clean], [0.0, 0.0, 1.0]),
        ([none], [None, None, None]),
        ([none, clean], [None, 1.0, 1.0]),
        ([], [None, None, None]),
    ]
    for scores, expected in cases:
        found = turn_rewards(scores, 3)
        assert [found.get(f"turn_{i + 1}_reward") for i in range(3)] == expected


def test_inspect_ai_over_several_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    stubs.install(monkeypatch, "inspect_ai", "anyio")
    from codelinter import inspect_ai

    answers = iter([FAULTY, CLEAN])
    state = SimpleNamespace(messages=[], metadata={"task": TEXT}, output=None)

    async def generate(state: Any) -> Any:
        state.output = SimpleNamespace(completion=next(answers))
        state.messages.append(SimpleNamespace(role="assistant", text=state.output.completion))
        return state

    asyncio.run(inspect_ai.ask(3)(state, generate))
    told = [message.content for message in state.messages if message.role == "user"]
    assert len(told) == 1
    assert TOLD in told[0]
    score = asyncio.run(inspect_ai.guarded()(state, None))
    assert (score.value, score.metadata["turn_1_reward"], score.metadata["turn_2_reward"]) == ("C", 0.0, 1.0)
    assert score.metadata["turn_3_reward"] == 1.0
    # An episode that passes at once is in the metrics too.
    answers = iter([CLEAN])
    state = SimpleNamespace(messages=[], metadata={"task": TEXT}, output=None)
    asyncio.run(inspect_ai.ask(3)(state, generate))
    score = asyncio.run(inspect_ai.guarded()(state, None))
    assert [score.metadata[f"turn_{i}_reward"] for i in (1, 2, 3)] == [1.0, 1.0, 1.0]


def test_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    stubs.install(monkeypatch, "nemo_gym")
    from codelinter import nemo_gym, trl
    from codelinter.nemo_gym.app import CodeLinterConfig, CodeLinterResourcesServer, LintRequest

    assert trl.lint("x=1\n") == TOLD
    assert trl.lint("x = 1\n") == "flake8 finds nothing."
    assert trl.lint("x = 1\n", max_line_length=4, ignore=["W"]).startswith("E501")
    assert trl.lint("x = 1\n", select=["?"]).startswith("error: ")
    server = CodeLinterResourcesServer(config=CodeLinterConfig(), routes={})
    server.setup_webserver()
    assert asyncio.run(server.routes["/lint"](LintRequest(code="x=1\n"))) == TOLD
    row = nemo_gym.with_lint({"responses_create_params": {"input": "p"}, "task": TEXT})
    assert row["responses_create_params"]["tools"][0]["name"] == "lint"


def test_nemo_gym(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stubs.install(monkeypatch, "nemo_gym")
    from codelinter.nemo_gym import write_server
    from codelinter.nemo_gym.app import CodeLinterConfig, CodeLinterResourcesServer, CodeLinterVerifyRequest

    def answer(text: str) -> Any:
        part = SimpleNamespace(type="output_text", text=text)
        reasoning = SimpleNamespace(type="reasoning")
        return SimpleNamespace(output=[reasoning, SimpleNamespace(type="message", content=[part])])

    server = CodeLinterResourcesServer(config=CodeLinterConfig())
    found = asyncio.run(server.verify(CodeLinterVerifyRequest(response=answer(CLEAN), task=TEXT)))
    assert (found.reward, found.guarded, found.findings) == (1.0, 1.0, 0.0)
    bad = asyncio.run(server.verify(CodeLinterVerifyRequest(response=answer(CLEAN), task={"inputs": 1})))
    assert (bad.mask_sample, bad.failure_kind) == (True, "codelinter:error")
    masking = CodeLinterResourcesServer(config=CodeLinterConfig(on_unknown="mask"))
    none = asyncio.run(masking.verify(CodeLinterVerifyRequest(response=answer(UNKNOWN), task=ENDLESS)))
    assert (none.mask_sample, none.failure_kind, none.failure_reason) == (True, "codelinter:unknown", "no-reference")
    silent = SimpleNamespace(output=[SimpleNamespace(type="reasoning")])
    none = asyncio.run(server.verify(CodeLinterVerifyRequest(response=silent, task=TEXT)))
    assert (none.reward, none.mask_sample, none.failure_kind) == (0.0, False, "codelinter:no_answer")
    turns = SimpleNamespace(output=answer(OTHER).output + answer(CLEAN).output)
    assert asyncio.run(server.verify(CodeLinterVerifyRequest(response=turns, task=TEXT))).reward == 1.0
    folder = write_server(str(tmp_path))
    assert sorted(path.name for path in folder.rglob("*") if path.is_file()) == [
        "app.py",
        "codelinter.yaml",
        "requirements.txt",
    ]


def test_inspect_ai(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stubs.install(monkeypatch, "inspect_ai", "anyio")
    from codelinter import inspect_ai

    file = tmp_path / "tasks.jsonl"
    file.write_text(TEXT + "\n", encoding="utf-8")
    (row,) = list(inspect_ai.dataset(str(file)))
    assert (row.id, row.metadata) == ("7", {"task": row.metadata["task"]})

    def verdicts(text: str) -> Tuple[str, str]:
        state = SimpleNamespace(output=SimpleNamespace(completion=text), metadata=row.metadata, messages=[])
        scores = [asyncio.run(scorer(state, None)) for scorer in (inspect_ai.official(), inspect_ai.guarded())]
        return scores[0].value, scores[1].value

    state = SimpleNamespace(output=SimpleNamespace(completion=UNKNOWN), metadata={"task": ENDLESS}, messages=[])
    for on_unknown, value in (("zero", "I"), ("mask", "N"), ("official", "C")):
        assert asyncio.run(inspect_ai.guarded(on_unknown=on_unknown)(state, None)).value == value
    assert verdicts(CLEAN) == ("C", "C")
    assert verdicts(OTHER) == ("C", "I")
    assert verdicts(FAULTY) == ("I", "I")


# lm-evaluation-harness 0.4.13: the functions that a task's YAML names


def test_lm_eval() -> None:
    from codelinter.lm_eval import include_path

    folder = Path(include_path())
    assert sorted(path.name for path in folder.glob("*.yaml")) == ["codelintereval.yaml", "codelintereval_10.yaml"]
    functions = load_by_path(str(folder / "codelintereval_functions.py"))
    docs = [{"id": "7", "prompt": "p", "task": TEXT}] * 2
    results = functions.score([[CLEAN, FAULTY, OTHER, CLEAN, CLEAN], [FAULTY] * 5], docs)
    assert functions.process_results(docs[0], [results[0]]) == pytest.approx(
        {"pass@1": 0.8, "pass@5": 1.0, "guarded_pass@1": 0.6, "guarded_pass@5": 1.0}
    )
    assert functions.process_results(docs[1], [results[1]])["pass@5"] == 0.0


def test_without_end_of_turn() -> None:
    from codelinter._adapter import without_end_of_turn

    for text, left in (
        ("x = 1\n<|im_end|>\n<|endoftext|>\n", "x = 1\n"),
        ("x = 1\n</s>", "x = 1\n"),
        ("x = 1\n  ", "x = 1\n  "),
        ("a <|b|> c", "a <|b|> c"),
        ("<eos>", ""),
        ("", ""),
    ):
        assert without_end_of_turn(text) == left
    assert without_end_of_turn("</s> " * 300_000 + "x").endswith("x")
    assert without_end_of_turn("x" + "</s> " * 300_000) == "x"


def test_tasks_with_prompts(tmp_path: Path) -> None:
    from codelinter._adapter import tasks_with_prompts

    rows = tasks_with_prompts()
    assert len(rows) > 100
    assert all(json.loads(row["task"])["meta"]["id"] is not None for row in rows)
    with pytest.raises(codelinter.Error, match=r"none\.jsonl"):
        tasks_with_prompts(str(tmp_path / "none.jsonl"))
