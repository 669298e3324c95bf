"""Rewrite the parser's goldens with what this Python, which must be 3.14, says.

    python3.14 goldens.py [SNIPPETS.jsonl]

programs/*.py       programs, each with its tree in a .ast file beside it
accepted.jsonl      snippets that parse: {"code": ..., "dump": ...}
refused.jsonl       snippets that do not: {"code": ...}

The snippets of a file that is named are added to the others.
"""
import ast
import json
import pathlib
import sys
import warnings

HERE = pathlib.Path(__file__).parent


def dump(code):
    """The tree as text, None if there is none."""
    try:
        return ast.dump(ast.parse(code), include_attributes=True)
    except Exception:
        return None


def read(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line)["code"] for line in lines]


def main():
    if sys.version_info[:2] != (3, 14):
        sys.exit("this needs Python 3.14")
    warnings.simplefilter("ignore")
    for path in sorted(HERE.glob("programs/*.py")):
        code = path.read_text(encoding="utf-8")
        path.with_suffix(".ast").write_text(dump(code) + "\n", encoding="utf-8")
    codes = []
    for path in [HERE / "accepted.jsonl", HERE / "refused.jsonl", *sys.argv[1:]]:
        codes += read(path)
    accepted, refused = [], []
    for code in dict.fromkeys(codes):
        tree = dump(code)
        if tree is None:
            refused.append({"code": code})
        else:
            accepted.append({"code": code, "dump": tree})
    for name, rows in ("accepted.jsonl", accepted), ("refused.jsonl", refused):
        with open(HERE / name, "w", encoding="utf-8") as out:
            for row in rows:
                out.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
