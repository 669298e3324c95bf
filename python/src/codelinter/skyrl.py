"""An environment for SkyRL (made for skyrl_gym 0.4.0).

    skyrl_gym.register(id="codelinter", entry_point="codelinter.skyrl:CodeLinterEnv")

One turn: the answer is scored and the episode is over. The task is the row's
``task``, or its ``reward_spec["ground_truth"]``: as JSON, or an id of the client's
tasks. ``env_config`` may hold the client's settings.
"""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional

from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput

from . import _client
from ._adapter import SETTINGS, Scoring, answered, numbers_of, reward_of, task_of
from ._settings import NO_TASK

_scoring = Scoring()


class CodeLinterEnv(BaseTextEnv):
    """Scores one answer."""

    def __init__(self, env_config: Any = None, extras: Optional[Mapping[str, Any]] = None) -> None:
        super().__init__()
        extras = extras or {}
        truth = (extras.get("reward_spec") or {}).get("ground_truth", NO_TASK)
        self.task = task_of(extras.get("task", NO_TASK), truth)
        get = getattr(env_config, "get", lambda _: None)
        self._settings = {name: get(name) for name in SETTINGS}
        self._metrics: Dict[str, float] = {}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Scores the answer, which ends the episode."""
        client = _client.default_client(**self._settings)
        (score,) = _scoring.scores(client, [answered(action)], [self.task])
        self._metrics = numbers_of(score, client)
        return BaseTextEnvStepOutput(observations=[], reward=reward_of(score), done=True, metadata=dict(self._metrics))

    def get_metrics(self) -> Dict[str, float]:
        """Returns the numbers of the score."""
        return self._metrics
