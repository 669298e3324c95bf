"""Rewards as formulas and as functions."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any, List

import pytest

import codelinter
from codelinter import rewards

from . import doors, nasty


@pytest.mark.parametrize(("formula", "on_unknown"), [*zip(doors.REWARDS, ["zero", "mask", "official", "zero"] * 9)])
def test_every_door_gives_the_same_numbers(formula: str, on_unknown: str) -> None:
    """`python -m tests.doors 2000` tries more answers."""
    assert doors.differences(doors.answers(12, seed=len(formula), tasks=3), formula, on_unknown) == []


def test_the_page_s_table_of_nasty_answers() -> None:
    """What public rewards and ours pay for answers that are worth nothing: `python -m tests.nasty` prints it."""
    page = (Path(__file__).parents[2] / "docs" / "rewards.md").read_text(encoding="utf-8")
    assert nasty.table() in page


def test_formulas() -> None:
    given = {"program": "import os\nx=1\n"}
    answers = ["x = 1\n", "x=1\n", "x = (", ""]
    for formula, expected in (
        ("graded", [1.0, 1.0, 0.0, 0.0]),
        ("per_finding(0.5)", [1.0, 0.5, 0.0, 0.0]),
        ("graded * meaning", [1.0, 1.0, 0.0, 0.0]),
        ("0.5*passed + 0.5*fixed + empty, least=-0.5", [1.0, 0.25, 0.0, -0.5]),
    ):
        with codelinter.Client(reward=formula) as client:
            scores: List[Any] = client.score(answers, given)
            assert [score.reward for score in scores] == expected
            assert all(list(score.terms) == client.terms for score in scores)
            again = pickle.loads(pickle.dumps(scores[0]))  # noqa: S301
            assert (again.reward, again.terms) == (scores[0].reward, scores[0].terms)
    with codelinter.Client(verdict="official", reward="graded") as client:
        assert [score.reward for score in client.score(answers, given)] == [1.0, 1.0, 0.0, 0.0]
    for reward, problem in (
        ("graed", "reward: expected one of .* a formula of .*graded.*, found 'graed'"),
        ("graded + 1", "found 'graded . 1'|expected"),
        ("", "reward: expected one of"),
    ):
        with pytest.raises(codelinter.Error, match=problem), codelinter.Client(reward=reward) as client:
            client.score(answers, given)
    with codelinter.Client(reward="graded(E=x)") as client, pytest.raises(codelinter.Error, match="expected a number"):
        client.score(answers, given)
    with pytest.raises(codelinter.Error, match=r"the official verdict has none but .* formulas without 'tests'"):
        codelinter.Client(verdict="official", reward="0.5*graded + tests")
    with pytest.raises(codelinter.Error, match="without 'graded_meaning'"):
        codelinter.Client(verdict="official", reward=rewards.Sum(rewards.graded() * rewards.meaning()))


def test_a_term_is_a_function_of_a_score() -> None:
    given = {"program": "import os\nx=1\n", "tests": ["assert x == 1"]}
    reward = rewards.Sum(rewards.tests(), rewards.meaning())
    with codelinter.Client(reward=reward) as client:
        right, wrong = client.score(["x = 1\n", "x = 2\n"], given)
    assert (right.tests, right.logic, right.terms) == ("pass", "kept", {"tests": 1.0, "meaning": 1.0})
    assert (wrong.tests, wrong.logic, wrong.terms) == ("fail", "lost", {"tests": 0.0, "meaning": 0.0})
    assert rewards.graded(0.5)(right) == 0.5
    assert (rewards.graded() * rewards.meaning()).name == "graded_meaning"
    with codelinter.Client() as client:
        (bare,) = client.score(["x = 1\n"], given)
    assert (bare.tests, bare.logic, bare.kept) == ("", "", True)


def test_terms_of_what_has_no_score() -> None:
    """Trainers take the keys of a batch from its first sample."""
    from codelinter._adapter import NONE, numbers_of

    for reward in ("0.5*graded(E=2, W=3)*meaning + tests, least=-1", rewards.Sum(rewards.graded() * rewards.meaning())):
        with codelinter.Client(reward=reward) as client:
            (score,) = client.score(["x = 1\n"], {"program": "x=1\n", "tests": ["assert x == 1"]})
            assert list(numbers_of(NONE, client)) == list(score.numbers())
