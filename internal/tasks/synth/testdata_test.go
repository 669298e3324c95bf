package synth

// every has a place for each code that faults can be made of.
const every = `"""Places for faults."""
from __future__ import annotations

import os
import re
import sys

from collections import deque

LIMIT = 12
PATTERN = re.compile(r"\d+\s")
NAMES = ["first", "second",
         "third", "fourth"]


def decorate(function):
    """Return the function."""
    # Nothing is to be done here.
    return function


@decorate
def first(path, depth: int = 3, *rest):
    # The path is looked for in the table of names, and the depth is counted from
    # the top of the tree to where it stands.
    if path is None and depth > LIMIT:
        return os.path.join("a", "b")

    # This comment stands in a row of its own.
    total = (depth << 2) % LIMIT + len(rest)  # counted twice
    sys.stdout.write("done")
    if isinstance(path, str):
        total += 1
    return total


def second(items, key):
    found = []
    for item in items:
        if item not in found and item is not key:
            found.append(item)

    def inner(value):
        return value + 1

    try:
        found.sort()
    except Exception:
        return deque(found)
    # A row that is long enough by itself to be too long with what stands above.
    if key == "name" or key == "other":
        return [inner(x) for x in found]
    while found:
        found.pop()
    return sorted(found, key=inner)


class Third:
    """A class."""

    def method(self, a, b):
        result = second(
            a,
            b,
        )
        value = self.combine(a, b, result, LIMIT,
                             NAMES)
        sys.stderr.write(
            "a text that is long enough", value, "and another one beside it",
        )
        return type(a) is type(b)

    def combine(self, *parts):
        x = 1
        y = 2
        return x, y, parts


instance = Third()
`
