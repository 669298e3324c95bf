"""Record what CPython says of the snippets in errors.jsonl.

    python3.14 record.py
    python3.15 record.py

Each line of the file is an object: "code", and for each CPython that has
recorded, under its version, the exception that ast.parse raises: its type,
message, line and offset. That is null if the code is valid, and has no place
if the exception is no SyntaxError.
"""
import ast
import json
import pathlib
import sys
import warnings

version = "%d.%d" % sys.version_info[:2]
if version not in ("3.14", "3.15"):
    sys.exit("needs CPython 3.14 or 3.15")
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


rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
for row in rows:
    row[version] = error(row["code"])
lines = [json.dumps(row, ensure_ascii=False) for row in rows]
path.write_text("\n".join(lines) + "\n", "utf-8")
