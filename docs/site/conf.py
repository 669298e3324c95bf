"""Sphinx's settings for the site; pages.py writes what it reads."""

import os
from pathlib import Path

from sphinx.application import Sphinx

project = "codelinter"
author = "The codelinter authors"
html_title = "codelinter"
extensions = ["myst_parser"]

# Anchors are those that GitHub gives to headings, so that a link works in both.
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_inline"]
# Excerpts of programs and of sessions, which no lexer takes whole.
suppress_warnings = ["misc.highlighting_failure"]

# Quotes and dots are made pretty, but "--" is that of an option.
smartquotes_action = "qe"

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_extra_path = [os.environ["SITE_EXTRA"]]
templates_path = ["templates"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/playground.html",
        "sidebar/scroll-end.html",
        "sidebar/current.html",
    ]
}
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_use_index = False
# Excerpts are fetched from the pages that were found, which a page on a disk may not.
html_show_search_summary = False

# What Furo and docutils leave open for readers who do not see the page or use no mouse.
ACCESSIBLE = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="Pages">',
    '<aside class="toc-drawer': '<aside aria-label="On this page" class="toc-drawer',
    '<div class="highlight"><pre>': '<div class="highlight"><pre tabindex="0">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    '<th class="head"><p></p></th>': "<td></td>",
}


def make_accessible(app: Sphinx, exception: Exception | None) -> None:
    if exception:
        return
    for page in Path(app.outdir).rglob("*.html"):
        if page.name == "playground.html":
            continue
        text = page.read_text(encoding="utf-8")
        for found, better in ACCESSIBLE.items():
            text = text.replace(found, better)
        page.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> None:
    app.connect("build-finished", make_accessible)
