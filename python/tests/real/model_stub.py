"""A model behind OpenAI's protocol that answers without thinking.

    python model_stub.py PORT ANSWERS

ANSWERS is a file of JSON: a list of [text, answer]. A prompt that has the text in it gets
the answer, or where that is a list the next of it, which may be null; any other gets a
program without faults.
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle
from typing import Any, ClassVar, Dict

DEFAULT = "```python\nx = 1\n```\n"


class Handler(BaseHTTPRequestHandler):
    """Answers /chat/completions and /completions, at once or as a stream."""

    protocol_version = "HTTP/1.1"
    answers: ClassVar[list[list[Any]]] = []

    def do_GET(self) -> None:
        # As OpenAI says which models there are, and SGLang's router which engines.
        self.reply({"object": "list", "data": [{"id": "stub", "object": "model"}], "workers": []})

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "messages" not in request and "prompt" not in request:
            self.send(b"{}", "application/json", 404)  # such as /responses
            return
        prompt = json.dumps(request.get("messages", request.get("prompt")), ensure_ascii=False)
        answer = next((a for text, a in self.answers if json.dumps(text, ensure_ascii=False)[1:-1] in prompt), DEFAULT)
        n = request.get("n") or 1
        said = [answer if isinstance(answer, str) else next(answer) for _ in range(n)]
        answer = said[0]
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        head = {"id": "1", "created": 0, "model": "stub", "usage": usage}
        if "messages" not in request:
            prompts = request["prompt"] if isinstance(request["prompt"], list) else [request["prompt"]]
            choices = [{"index": i, "text": answer, "finish_reason": "stop"} for i in range(len(prompts))]
            self.reply({**head, "object": "text_completion", "choices": choices})
        elif request.get("stream"):
            delta = {"index": 0, "delta": {"role": "assistant", "content": answer}, "finish_reason": "stop"}
            chunk = json.dumps({**head, "object": "chat.completion.chunk", "choices": [delta]})
            self.send(f"data: {chunk}\n\ndata: [DONE]\n\n".encode(), "text/event-stream")
        else:
            messages = [{"role": "assistant", "content": answer} for answer in said]
            choices = [{"index": i, "message": message, "finish_reason": "stop"} for i, message in enumerate(messages)]
            self.reply({**head, "object": "chat.completion", "choices": choices})

    def reply(self, body: Dict[str, Any]) -> None:
        self.send(json.dumps(body).encode(), "application/json")

    def send(self, body: bytes, kind: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


if __name__ == "__main__":
    given = json.loads(open(sys.argv[2], encoding="utf-8").read()) if len(sys.argv) > 2 else []
    Handler.answers = [[text, answer if isinstance(answer, str) else cycle(answer)] for text, answer in given]
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
