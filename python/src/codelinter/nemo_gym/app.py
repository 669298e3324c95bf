"""The resources server: verifies an answer by scoring it."""

from __future__ import annotations

from typing import Any, Optional

from nemo_gym.base_resources_server import (
    BaseResourcesServerConfig,
    BaseVerifyRequest,
    BaseVerifyResponse,
    ReverifyMode,
    SimpleResourcesServer,
)
from pydantic import BaseModel

from codelinter import Error, OnUnknown, Verdict, default_client, feedback
from codelinter._adapter import Scoring, numbers_of, task_of

_scoring = Scoring()


class CodeLinterConfig(BaseResourcesServerConfig):
    """The client's settings."""

    REVERIFY_MODE = ReverifyMode.STATELESS
    verdict: Verdict = "guarded"
    reward: str = "binary"
    on_unknown: OnUnknown = "zero"
    timeout: float = 30.0


class CodeLinterVerifyRequest(BaseVerifyRequest):
    """A row and the answer to it."""

    task: Any = None


class CodeLinterVerifyResponse(BaseVerifyResponse):
    """The reward, and the numbers of the score as metrics."""

    model_config = {"extra": "allow"}  # noqa: RUF012 - the terms of a composed reward
    official: float = 0.0
    guarded: float = 0.0
    unknown: float = 0.0
    findings: float = 0.0
    fixed: float = 0.0
    left: float = 0.0
    introduced: float = 0.0
    invalid: float = 0.0
    empty: float = 0.0
    noqa: float = 0.0
    milliseconds: float = 0.0
    masked: float = 0.0
    error: float = 0.0


def answer_of(response: Any) -> Optional[str]:
    """Returns the text of the assistant's last message, None if there is none."""
    for item in reversed(response.output):
        if item.type == "message":
            return "".join(part.text for part in item.content if part.type == "output_text")
    return None


class LintRequest(BaseModel):
    """The arguments of the tool ``lint``, see :data:`codelinter.nemo_gym.LINT`."""

    code: str


class CodeLinterResourcesServer(SimpleResourcesServer):
    """Scores answers to CodeLinterEval's tasks."""

    ray_enabled = False
    config: CodeLinterConfig

    def setup_webserver(self) -> Any:
        """Adds the tool ``lint``, which an agent calls by its name."""
        app = super().setup_webserver()
        app.post("/lint")(self.lint)
        return app

    async def lint(self, body: LintRequest) -> str:
        """Tells a model what flake8 finds in a program, in the benchmark's words."""
        try:
            return feedback(await default_client().alint(body.code)) or "flake8 finds nothing."
        except Error as error:
            return f"error: {error}"

    async def verify(self, body: CodeLinterVerifyRequest) -> CodeLinterVerifyResponse:
        """Scores one answer. If there is no reward, the sample is masked."""
        of = self.config
        client = default_client(verdict=of.verdict, reward=of.reward, on_unknown=of.on_unknown, timeout=of.timeout)
        answer = answer_of(body.response)
        if answer is None:  # which has earned its 0
            nothing = Error("expected a message of the assistant's, found none")
            numbers = {**numbers_of(nothing, client), "masked": 0.0}
            return CodeLinterVerifyResponse(
                **body.model_dump(), **numbers, failure_kind="codelinter:no_answer", failure_reason=str(nothing)
            )
        try:
            (score,) = await _scoring.ascores(client, [answer], [task_of(body.task)])
        except Error as error:  # NeMo Gym ends a run at a status of 500
            score = error
        response = CodeLinterVerifyResponse(**body.model_dump(), **numbers_of(score, client))
        if isinstance(score, Error):
            response.mask_sample = True
            response.failure_kind = "codelinter:error"
            response.failure_reason = str(score)
        elif score.masked:
            response.mask_sample = True
            response.failure_kind = "codelinter:unknown"
            response.failure_reason = ", ".join(score.reasons)
        return response


if __name__ == "__main__":
    CodeLinterResourcesServer.run_webserver()
