"""A node of Ray on this machine."""

from __future__ import annotations

import time


def start_ray(tries: int = 5) -> None:
    """Starts a node. Its agent has 15 seconds for that, whatever is configured, which a busy machine exceeds."""
    import ray

    while True:
        begin = time.monotonic()
        try:
            ray.init(log_to_driver=False, include_dashboard=False)
        except Exception as error:
            tries -= 1
            print(f"ray did not start in {time.monotonic() - begin:.0f} s: {error}", flush=True)
            ray.shutdown()
            if tries == 0:
                raise
        else:
            print(f"ray {ray.__version__} started in {time.monotonic() - begin:.0f} s", flush=True)
            return
