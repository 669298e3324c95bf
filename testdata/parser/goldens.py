"""Rewrite the parser's goldens with what this Python, which must be 3.14 or 3.15, says.

    python3.14 goldens.py [SNIPPETS.jsonl]

programs/*.py       programs, each with its tree in a .ast file beside it
accepted.jsonl      snippets that parse: {"code": ..., "dump": ...}
refused.jsonl       snippets that do not: {"code": ...}
python315.jsonl     snippets of what 3.15 changes: {"code": ..., "dump": ...}, without a dump if they do not parse

3.15 writes the last, 3.14 the others. The snippets of a file that is named are added to the others.
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


def write(path, rows):
    with open(path, "w", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(row) + "\n")


def main():
    warnings.simplefilter("ignore")
    if sys.version_info[:2] == (3, 15):
        path = HERE / "python315.jsonl"
        codes = dict.fromkeys(code for name in [path, *sys.argv[1:]] for code in read(name))
        write(path, [{"code": code, "dump": tree} if (tree := dump(code)) else {"code": code} for code in codes])
        return
    if sys.version_info[:2] != (3, 14):
        sys.exit("this needs Python 3.14 or 3.15")
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
    write(HERE / "accepted.jsonl", accepted)
    write(HERE / "refused.jsonl", refused)


if __name__ == "__main__":
    main()
