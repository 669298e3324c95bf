"""check.py FOLDER: requires of a site in FOLDER that its links lead somewhere, anchors too, and that it loads nothing from elsewhere."""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# The playground's address carries a state after the #.
STATEFUL = "playground.html"


class Page(HTMLParser):
    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[tuple[str, str]] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif name in ("href", "src", "srcset", "action", "poster", "data") and value is not None:
                self.links.append((tag, value))


def main() -> None:
    root = Path(sys.argv[1]).resolve()
    pages = {path: Page(path) for path in root.rglob("*.html")}
    faults, count = [], 0
    for path, page in pages.items():
        where = path.relative_to(root)
        for tag, link in page.links:
            parts = urlsplit(link)
            if parts.scheme == "data":
                continue
            if parts.scheme or parts.netloc:
                if tag != "a":
                    faults.append(f"{where}: loads {link}")
                continue
            count += 1
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.is_relative_to(root) or not target.exists():
                faults.append(f"{where}: {link}: there is no such file")
            elif parts.fragment and target.name != STATEFUL and unquote(parts.fragment) not in pages[target].anchors:
                faults.append(f"{where}: {link}: there is no such anchor")
    for path in root.rglob("*.css"):
        for link in re.findall(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)", path.read_text(encoding="utf-8")):
            link = "".join(link)
            if re.match(r"(?:[a-z]+:)?//", link):
                faults.append(f"{path.relative_to(root)}: loads {link}")
    if faults:
        sys.exit("\n".join(faults))
    size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file())
    print(f"{len(pages)} pages, {count} links, {size / 1e6:.1f} MB")


main()
