"""Programs as the lines of requests to lint them, and the findings in the replies."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Sequence, Tuple, Union

from . import _json
from ._batch import LINE_BYTES, LINE_COMPLETIONS, TEXT_LENGTH, listed
from ._error import Error
from ._score import Finding, findings_of

#: What became of a program: its findings, or why there are none.
Linted = Union[List[Finding], Error]

#: A placeholder for findings that have not come yet.
_NOT_LINTED = Error("it was not linted")

_OTHER = "expected findings, found a reply of another kind: {!r}"


def request(code: str, options: Mapping[str, Any]) -> bytes:
    """Returns a request to lint one program."""
    if not isinstance(code, str):
        raise Error(f"code: expected a text, found {type(code).__name__}")
    return _json.dumps({"lint": {"code": code, "options": named(options)}})


def findings(reply: Mapping[str, Any]) -> List[Finding]:
    """Returns the findings in the reply to :func:`request`."""
    if reply.get("error"):
        raise Error(str(reply["error"]))
    try:
        return list(findings_of(reply["findings"]))
    except (KeyError, TypeError) as error:
        raise Error(_OTHER.format(error)) from None


class Programs:
    """Programs on their way to be linted."""

    def __init__(self, codes: Sequence[Any], options: Mapping[str, Any]) -> None:
        codes = listed("codes", codes)
        self._linted: List[Linted] = [_NOT_LINTED] * len(codes)
        #: For each line, the places of its programs, and its text.
        self.lines: List[Tuple[List[int], bytes]] = []
        places: List[int] = []
        size = 0
        for i, code in enumerate(codes):
            if not isinstance(code, str):
                self._linted[i] = Error(f"expected a text, found {type(code).__name__}")
                continue
            if places and (size + len(code) > LINE_BYTES or len(places) == LINE_COMPLETIONS):
                self._add(codes, places, options)
                places, size = [], 0
            places.append(i)
            size += len(code)
        if places:
            self._add(codes, places, options)

    def _add(self, codes: Sequence[str], places: List[int], options: Mapping[str, Any]) -> None:
        files = {str(i): codes[i][:TEXT_LENGTH] for i in places}
        self.lines.append((places, _json.dumps({"lint": {"files": files, "options": named(options)}})))

    def linted(self, replies: Sequence[Mapping[str, Any]]) -> List[Linted]:
        """Returns what became of each program. replies are those to the lines, in their order."""
        for (places, _), reply in zip(self.lines, replies):
            for i in places:
                self._linted[i] = _of_file(reply, str(i))
        return self._linted


def _of_file(reply: Mapping[str, Any], name: str) -> Linted:
    """Returns what the reply to a line says of one program."""
    if reply.get("error"):
        return Error(str(reply["error"]))
    try:
        problem = reply["errors"][name]
        return Error(str(problem)) if problem else list(findings_of(reply["files"][name]))
    except (KeyError, TypeError) as error:
        return Error(_OTHER.format(error))


def named(options: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns options under flake8's names."""
    return {name.replace("_", "-"): value for name, value in options.items()}
