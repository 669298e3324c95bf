"""Record what CPython 3.14 says of the snippets in errors.jsonl.

    python3.14 record.py

Each line of the file is an object: "code", and "error" with the type, message,
line and offset of the exception that ast.parse raises. "error" is null if the
code is valid, and has no place if the exception is no SyntaxError.
"""
import ast
import json
import pathlib
import sys
import warnings

if sys.version_info[:2] != (3, 14):
    sys.exit("needs CPython 3.14")
warnings.simplefilter("ignore")
path = pathlib.Path(__file__).with_name("errors.jsonl")


def error(code):
    try:
        ast.parse(code)
    except SyntaxError as e:
        return [type(e).__name__, e.msg, e.lineno, e.offset]
    except Exception as e:
        return [type(e).__name__, str(e)]
    return None


codes = [json.loads(line)["code"] for line in path.read_text("utf-8").splitlines()]
lines = [json.dumps({"code": code, "error": error(code)}, ensure_ascii=False) for code in codes]
path.write_text("\n".join(lines) + "\n", "utf-8")
