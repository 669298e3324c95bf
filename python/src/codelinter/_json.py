"""JSON for the child's lines, by orjson if it is installed, else by json."""

from __future__ import annotations

import importlib
import json
from typing import Any

from ._error import Error

try:
    orjson: Any = importlib.import_module("orjson")
except ImportError:
    orjson = None


def _plain(value: Any) -> Any:
    """Converts values of data frames and Arrow tables for JSON: arrays and scalars of numpy, and times."""
    for method in ("tolist", "item", "as_py", "isoformat"):
        if hasattr(value, method):
            return getattr(value, method)()
    raise TypeError(f"expected a value of JSON, found {type(value).__name__}")


def dumps(value: Any) -> bytes:
    """Returns value as JSON on one line.

    A lone surrogate, which UTF-8 cannot encode, is written as an escape.

    Raises:
        Error: JSON has no such value, or the value contains itself.
    """
    if orjson is not None:
        try:
            return bytes(
                orjson.dumps(value, default=_plain, option=orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS)
            )
        except TypeError:  # a lone surrogate, or an integer of more than 64 bits: json knows, or says why not
            pass
    try:
        text = json.dumps(value, default=_plain, ensure_ascii=False, separators=(",", ":"))
        try:
            return text.encode()
        except UnicodeEncodeError:
            return json.dumps(value, default=_plain, separators=(",", ":")).encode()
    except RecursionError:
        raise Error("expected a value of JSON, found one that is too deep") from None
    except (TypeError, ValueError) as error:
        raise Error(str(error)) from None


def loads(text: bytes) -> Any:
    """Returns the value of a JSON text. Raises ValueError if it is not JSON."""
    return json.loads(text) if orjson is None else orjson.loads(text)
