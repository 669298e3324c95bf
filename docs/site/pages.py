"""pages.py CODELINTER FOLDER: writes the site's pages to FOLDER as the Markdown that Sphinx reads.

They are the repository's own Markdown, with links led to where the site has each page, and a page for each code as CODELINTER, the binary, explains it.
"""

import base64
import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

# The pages, in the order of the table of contents, and what the repository calls each.
SECTIONS = {
    "Use": {
        "installing": "docs/installing.md",
        "migrating-from-flake8": "docs/migrating-from-flake8.md",
        "new-findings": "docs/new-findings.md",
        "agents": "docs/agents.md",
        "compatibility": "docs/compatibility.md",
        "plugins": "docs/plugins.md",
        "fixing": "docs/fixing.md",
        "rules/index": "",
    },
    "Evaluate": {
        "evaluation": "docs/evaluation.md",
        "generating": "docs/generating.md",
        "reports": "docs/reports.md",
        "files": "docs/files.md",
        "tasks": "docs/tasks.md",
        "judge": "docs/judge.md",
        "results": "docs/results.md",
        "sandbox": "docs/sandbox.md",
    },
    "Train": {
        "rewards": "docs/rewards.md",
        "serving": "docs/serving.md",
        "python": "python/README.md",
        "frameworks": "docs/frameworks.md",
        "scale": "docs/scale.md",
    },
    "Develop": {
        "developing": "docs/developing.md",
        "architecture": "docs/architecture.md",
        "contributing": "CONTRIBUTING.md",
        "following-flake8": "docs/following-flake8.md",
        "releasing": "docs/releasing.md",
        "wazero": "docs/wazero.md",
        "security": "SECURITY.md",
        "changelog": "CHANGELOG.md",
    },
}
# Titles of pages that are named for where they stand in the repository.
TITLES = {"python": "The Python package"}
PAGES = {"index": "README.md"} | {name: path for pages in SECTIONS.values() for name, path in pages.items() if path}
SITE = {path: name for name, path in PAGES.items()}


def main() -> None:
    binary, folder = sys.argv[1], Path(sys.argv[2])
    (folder / "rules").mkdir(parents=True)
    listed = sorted(str(path) for path in Path("docs").glob("*.md"))
    if missing := [path for path in listed if path not in SITE]:
        sys.exit(f"docs/site/pages.py: SECTIONS: expected every page of docs, found none for {', '.join(missing)}")
    for name, path in PAGES.items():
        text = Path(path).read_text(encoding="utf-8")
        if name in TITLES:
            text = re.sub(r"^# .*", f"# {TITLES[name]}", text, count=1, flags=re.MULTILINE)
        if name == "index":
            text += contents()
        (folder / f"{name}.md").write_text(relinked(text, path, name, folder), encoding="utf-8")
    write_rules(binary, folder / "rules")


def contents() -> str:
    """The table of contents, which the page that has it does not show: it stands at the side of each."""
    text = ""
    for caption, names in SECTIONS.items():
        text += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n" + "\n".join(names) + "\n```\n"
    return text


FENCE = re.compile(r"^(?:```|~~~).*?^(?:```|~~~)[ \t]*$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"\[([\w/.-]+\.md)\](?=\(\1\))")
LINK = re.compile(r"(?<=\]\()([^)#\s]+)(?=[)#])")
DATE_CELL = re.compile(r"(?<=\| )(\d{4}-\d\d-\d\d)(?= \|)")


def relinked(text: str, path: str, name: str, folder: Path) -> str:
    """Leads the links of the file at path, which the site calls name, to the site's pages; a link that shows a file's name gets its page's title. Pictures are
    copied to folder.
    """

    def lead(match: re.Match[str]) -> str:
        link = match[1]
        if "://" in link:
            return link
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), link))
        if target.endswith(".svg"):
            shutil.copy(target, folder)
            return posixpath.relpath(posixpath.basename(target), posixpath.dirname(name) or ".")
        if target not in SITE:
            sys.exit(f"{path}: expected links to pages of the site, found {link}")
        return posixpath.relpath(SITE[target] + ".md", posixpath.dirname(name) or ".")

    def change(part: str) -> str:
        part = LINK.sub(lead, NAMED.sub("[]", part))
        return DATE_CELL.sub(r'<span class="whole">\1</span>', part)

    return outside_fences(text, change)


def outside_fences(text: str, change) -> str:
    parts, end = [], 0
    for fence in FENCE.finditer(text):
        parts += [change(text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, change(text[end:])])


# What a code begins with, and whose rules those are, in the order of the catalogue.
FAMILIES = [
    ("E1", "Indentation"),
    ("E2", "Whitespace"),
    ("E3", "Blank lines"),
    ("E4", "Imports"),
    ("E5", "Line length"),
    ("E7", "Statements"),
    ("E9", "Files that cannot be linted"),
    ("W", "Warnings of style"),
    ("F4", "Imports"),
    ("F5", "Format strings"),
    ("F6", "Literals and comparisons"),
    ("F7", "Statements out of place"),
    ("F8", "Names"),
    ("F9", "Exceptions"),
    ("C9", "Complexity"),
]


def write_rules(binary: str, folder: Path) -> None:
    """Writes a page for each code, and one that lists them by family."""
    rules = [re.split(r"  +", line, maxsplit=3) for line in run(binary, "rule").splitlines()]
    text = "# Rules\n\nEvery code that flake8 7.5.0 gives without plugins, as `codelinter rule CODE` explains it.\n"
    listed = 0
    for start, title in FAMILIES:
        family = [rule for rule in rules if rule[0].startswith(start)]
        listed += len(family)
        text += f"\n## {title}: {start}\n\n| code | flags | default | message |\n|---|---|---|---|\n"
        for code, default, _, message in family:
            page = run(binary, "rule", code)
            flags = page.partition("\n")[0].split()[2].replace("-", " ")
            text += f"| [{code}]({code}.md) | {flags} | {default} | {quoted(message).replace('|', chr(92) + '|')} |\n"
            (folder / f"{code}.md").write_text(rule_page(binary, code, page), encoding="utf-8")
    if listed != len(rules):
        sys.exit(f"docs/site/pages.py: FAMILIES: expected a family for each of {len(rules)} codes, found {listed} in one")
    text += "\n```{toctree}\n:hidden:\n\n" + "\n".join(rule[0] for rule in rules) + "\n```\n"
    (folder / "index.md").write_text(text, encoding="utf-8")


def rule_page(binary: str, code: str, page: str) -> str:
    """What `codelinter rule` prints, with its last lines as a list, and a link from the bad example to the playground."""
    body, _, facts = page.rpartition("\nMessage: ")
    message, linter, *state = facts.strip().split("\n")
    head, _, body = body.partition("\n")
    options = re.search(r"^Options: (.*)\n\n?", body, re.MULTILINE)
    body = body.replace(options[0], "") if options else body
    body = re.sub(
        r"^## Bad\n.*?^```(python|python-escaped)\n(.*?)^```\n",
        lambda match: match[0] + try_it(binary, code, match[2], match[1] == "python-escaped", options[1].split() if options else []),
        body,
        flags=re.MULTILINE | re.DOTALL,
    )
    body = body.replace("```python-escaped\n", "```text\n")
    return f"{head}\n\n{quoted(message)}\n\n{linter.replace(', looks at: ', ' · looks at: ')} · {' '.join(state)}\n{body}"


def quoted(text: str) -> str:
    """Text as code, which may have backquotes in it."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def try_it(binary: str, code: str, example: str, escaped: bool, options: list[str]) -> str:
    """A link to the playground with the example in it, as page.js packs its state; "" for what cannot be typed there."""
    if escaped:
        example = re.sub(r"\\z\n", "", example)
        example = re.sub(r"\\([stfr\\])", lambda match: {"s": " ", "t": "\t", "f": "\f", "r": "\r", "\\": "\\"}[match[1]], example)
    if "\r" in example:
        return ""
    wanted: dict[str, object] = {"select": [code]}
    for option in options:
        name, _, value = option.removeprefix("--").partition("=")
        if name not in ("-", "", "ignore", "extend-ignore"):
            wanted[name] = int(value) if value.isdigit() else value or True
    flags = [f"--{name}" if value is True else f"--{name}={value[0] if isinstance(value, list) else value}" for name, value in wanted.items()]
    found = run(binary, "check", "--isolated", "--exit-zero", *flags, "-", text=example)
    if f" {code} " not in found:
        return ""  # not of a text: E902
    state = json.dumps({"code": example, "options": wanted})
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = base64.urlsafe_b64encode(deflate.compress(state.encode()) + deflate.flush()).decode().rstrip("=")
    return f'\n<a class="try" href="../playground.html#{packed}">Try it in the playground</a>\n'


def run(*command: str, text: str = "") -> str:
    return subprocess.run(command, input=text.encode(), capture_output=True, check=True, env=os.environ | {"NO_COLOR": "1"}).stdout.decode()


main()
