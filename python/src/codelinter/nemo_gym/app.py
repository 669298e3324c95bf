"""The resources server: verifies an answer by scoring it."""

from __future__ import annotations

from typing import Any

from nemo_gym.base_resources_server import (
    BaseResourcesServerConfig,
    BaseVerifyRequest,
    BaseVerifyResponse,
    ReverifyMode,
    SimpleResourcesServer,
)

from codelinter import Error, default_client


class CodeLinterConfig(BaseResourcesServerConfig):
    """The client's settings."""

    REVERIFY_MODE = ReverifyMode.STATELESS
    verdict: str = "guarded"
    reward: str = "binary"
    timeout: float = 30.0


class CodeLinterVerifyRequest(BaseVerifyRequest):
    """A row and the answer to it."""

    task: Any = None


class CodeLinterVerifyResponse(BaseVerifyResponse):
    """The reward, and the numbers of the score beside it, which are metrics."""

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


def answer_of(response: Any) -> str:
    """Returns the text that the assistant wrote."""
    return "".join(
        part.text
        for item in response.output
        if item.type == "message"
        for part in item.content
        if part.type == "output_text"
    )


class CodeLinterResourcesServer(SimpleResourcesServer):
    """Scores answers to CodeLinterEval's tasks."""

    ray_enabled = False
    config: CodeLinterConfig

    async def verify(self, body: CodeLinterVerifyRequest) -> CodeLinterVerifyResponse:
        """Scores one answer. An error of ours masks the sample: its reward is no judgement."""
        client = default_client(verdict=self.config.verdict, reward=self.config.reward, timeout=self.config.timeout)
        try:
            score = (await client.ascore([answer_of(body.response)], [body.task]))[0]
        except Error as error:
            return CodeLinterVerifyResponse(
                **body.model_dump(),
                reward=0.0,
                mask_sample=True,
                failure_kind="codelinter:error",
                failure_reason=str(error),
            )
        return CodeLinterVerifyResponse(**body.model_dump(), **score.numbers())


if __name__ == "__main__":
    CodeLinterResourcesServer.run_webserver()
