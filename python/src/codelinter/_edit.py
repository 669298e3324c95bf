"""Edits of a program: what a new text brings in, and whether the program is the same."""

from __future__ import annotations

from typing import Any, Literal, Mapping, NamedTuple, Tuple

from . import _json
from ._error import Error
from ._linting import named
from ._score import Finding, findings_of

#: How two texts relate.
Relation = Literal["same", "other", "unknown"]


class Edit(NamedTuple):
    """What an edit changes."""

    #: Findings of the new text that the old one does not have.
    new: Tuple[Finding, ...]
    #: Findings of the old text that the new one does not have.
    gone: Tuple[Finding, ...]
    #: The number of findings in the new text.
    found: int
    #: Whether the syntax trees are equal.
    tree: Relation
    #: Whether both programs do the same.
    meaning: Relation
    #: Of a meaning that is the same: ``"tree"``, ``"form"``, ``"edits"`` or ``"runs"``; ``""`` for none.
    proof: str
    #: Why the meaning is another, or unknown after a run.
    reasons: Tuple[str, ...]


def request(before: str, after: str, name: str, run: bool, options: Mapping[str, Any]) -> bytes:
    """Returns a request to compare two texts of a file."""
    for key, text in (("before", before), ("after", after), ("name", name)):
        if not isinstance(text, str):
            raise Error(f"{key}: expected a text, found {type(text).__name__}")
    edit = {"before": before, "after": after, "name": name, "run": bool(run), "options": named(options)}
    return _json.dumps({"edit": edit})


def result(reply: Mapping[str, Any]) -> Edit:
    """Returns what the reply to :func:`request` says."""
    if reply.get("error"):
        raise Error(str(reply["error"]))
    try:
        return Edit(
            findings_of(reply["new"]),
            findings_of(reply["gone"]),
            reply["found"],
            reply["tree"],
            reply["meaning"],
            reply["proof"],
            tuple(reply["reasons"]),
        )
    except (KeyError, TypeError) as error:
        raise Error(f"expected the result of an edit, found a reply of another kind: {error!r}") from None
