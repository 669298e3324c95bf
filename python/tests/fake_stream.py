#!/usr/bin/env python3
"""A child that speaks the protocol and misbehaves as FAKE says, for what the real one must never do.

Without a misbehaviour it scores what it is sent by a rule of its own: an answer with
"good" in it passes.
"""

import json
import os
import signal
import sys
import time

FAKE = os.environ.get("FAKE", "")


def score(text: str) -> "dict[str, object]":
    good = "good" in text
    return {
        "reward": 1.0 if good else 0.0,
        "official": good,
        "guarded": "pass" if good else "fail",
        "proof": "tree" if good else "",
        "reasons": [] if good else ["findings"],
        "findings": 0 if good else 2,
        "fixed": 1,
        "left": 0,
        "introduced": 0,
        "invalid": False,
        "empty": False,
        "noqa": False,
        "masked": False,
        "milliseconds": 0.25,
        "error": "ours" if text == "error" else "",
    }


def main() -> None:
    if FAKE == "exits":
        print("expected a command, found stream", file=sys.stderr)
        sys.exit(2)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if FAKE == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        if FAKE == "hangs":
            time.sleep(60)
        if FAKE.startswith("waits for "):
            while not os.path.exists(FAKE[len("waits for ") :]):  # noqa: PTH110
                time.sleep(0.01)
        if FAKE == "babbles":
            print("what is this", flush=True)
            continue
        if FAKE == "refuses":
            print(json.dumps({"id": request["id"], "error": "expected something else"}), flush=True)
            continue
        if FAKE == "old":
            print(json.dumps({"id": request["id"], "error": 'unknown key "details"'}), flush=True)
            continue
        if FAKE == "keyless":
            print(json.dumps({"id": request["id"], "scores": [[{"error": ""}]]}), flush=True)
            continue
        if FAKE == "short":
            print(json.dumps({"id": request["id"], "scores": [[]]}), flush=True)
            continue
        scores = [[score(text) for text in item["completions"]] for item in request["items"]]
        print(json.dumps({"id": request["id"], "scores": scores}), flush=True)


main()
