"""312 episodes of SkyRL's environment, made by skyrl_gym as SkyRL's generator makes them."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, Dict

import skyrl_gym
from of_eval import asked, rewards_are, verdicts


def episode(row: Dict[str, str], answer: str) -> Dict[str, Any]:
    """Returns what one step gives, after which the episode is over."""
    env = skyrl_gym.make("codelinter", env_config={}, extras={"reward_spec": {"ground_truth": row["task"]}})
    prompt = [{"role": "user", "content": row["prompt"]}]
    assert env.init(prompt)[0] == prompt
    output: Dict[str, Any] = env.step(answer)
    assert output["done"] and env.get_metrics()["reward"] == output["reward"], output
    env.close()
    return output


def main() -> None:
    skyrl_gym.register(id="codelinter", entry_point="codelinter.skyrl:CodeLinterEnv")
    rewards = [episode(row, answer)["reward"] for row, answer in asked()]
    good = [v.guarded == "pass" for v in verdicts((row["id"], answer) for row, answer in asked())]
    rewards_are(rewards, good, f"skyrl-gym {version('skyrl-gym')}")


if __name__ == "__main__":
    main()
