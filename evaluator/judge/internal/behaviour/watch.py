"""Watches a program: which of its code comes to an end, which outcomes its conditions have, and which values its expressions.

The program passes what is watched through the methods of Watched, which give it back.
"""
import builtins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar('T')

CONTAINERS = (list, tuple, dict, set, frozenset)
PLAIN = frozenset([int, complex, str, bytes, bool, type(None), type(...), range, type])
NODES = 1000  # of a value that is compared
WAITING = 10_000  # operands that wait for their expression
SHOWN = 60  # characters of a value

LARGE, OTHER = 'large', 'other'  # a value that is too large to be compared; an object


class Large(Exception):
    """A value is too large to be compared, or has an object in it."""


def nodes(value: object, left: list[int]) -> object:
    """A container as tuples that are equal where containers are the same."""
    left[0] -= 1
    kind = type(value)
    if type(value) is float:
        return kind, 'nan' if value != value else value
    if kind in PLAIN:
        return kind, value
    if left[0] < 0 or not isinstance(value, (list, tuple, dict, set, frozenset)) or kind not in CONTAINERS or len(value) > left[0]:
        raise Large
    if isinstance(value, dict):
        return kind, tuple([(nodes(k, left), nodes(v, left)) for k, v in value.items()])
    items = [nodes(item, left) for item in value]
    return kind, frozenset(items) if isinstance(value, (set, frozenset)) else tuple(items)


def frozen(value: object) -> object:
    """A value that is equal where values are the same, LARGE, or OTHER."""
    kind = type(value)
    if kind in PLAIN:
        return kind, value
    if kind is not float and kind not in CONTAINERS:
        return OTHER
    try:
        return nodes(value, [NODES])
    except (Large, RecursionError):
        return LARGE


def shown(value: object) -> str:
    """A value for people."""
    if type(value) is int and value.bit_length() > 200:
        return 'an int of %d bits' % value.bit_length()
    text = repr(value)
    return text if len(text) <= SHOWN else text[:SHOWN] + '...'


class Value:
    """What is known of an expression that must be seen to matter."""

    def __init__(self) -> None:
        self.first: object = None  # its first value, frozen
        self.text = ''  # the same for people
        self.varies = False
        self.same: set[int] | None = None  # the operands that always had its value


class Manager:
    """A context manager that says whether an exception ended its block."""

    def __init__(self, watched: 'Watched', site: int, manager: object) -> None:
        self.watched, self.site, self.manager = watched, site, manager

    def __enter__(self) -> object:
        return type(self.manager).__enter__(self.manager)  # type: ignore[attr-defined]

    def __exit__(self, kind: object, *rest: object) -> object:
        self.watched.outcomes[self.site] |= 1 if kind else 2
        return type(self.manager).__exit__(self.manager, kind, *rest)  # type: ignore[attr-defined]

    async def __aenter__(self) -> object:
        return await type(self.manager).__aenter__(self.manager)  # type: ignore[attr-defined]

    async def __aexit__(self, kind: object, *rest: object) -> object:
        self.watched.outcomes[self.site] |= 1 if kind else 2
        return await type(self.manager).__aexit__(self.manager, kind, *rest)  # type: ignore[attr-defined]


class Watched:
    def __init__(self, sites: int) -> None:
        self.values: list[Value | None] = [None] * sites
        self.outcomes = [0] * sites  # 1: it was true, or came to its end; 2: it was false
        self.link = [0] * sites  # the last operand of a chain of comparisons
        self.waiting: list[tuple[int, int, object]] = []
        self.cleared = 0

    def end(self, site: int, value: 'T') -> 'T':
        self.outcomes[site] = 1
        return value

    def truth(self, site: int, value: object) -> bool:
        """The truth of a condition of which only this is used."""
        outcome = bool(value)
        self.outcomes[site] |= 1 if outcome else 2
        return outcome

    def outcome(self, site: int, value: 'T') -> 'T':
        """A condition whose value is used. An object is not asked for its truth."""
        if type(value) in PLAIN or type(value) in CONTAINERS:
            self.outcomes[site] |= 1 if value else 2
        else:
            self.outcomes[site] = 3
        return value

    def operand_of_chain(self, site: int, number: int, value: 'T') -> 'T':
        self.link[site] = number
        return value

    def chain(self, site: int, value: 'T') -> 'T':
        """The value of a < b < c, whose comparisons are the sites from the given one on."""
        last = site + self.link[site]
        for i in range(site, last):
            self.outcomes[i] |= 1
        self.outcome(last, value)
        return value

    def manager(self, site: int, value: object) -> object:
        return Manager(self, site, value)

    def mark(self) -> tuple[int, int]:
        return self.cleared, len(self.waiting)

    def operand(self, site: int, number: int, value: 'T') -> 'T':
        known = self.values[site]
        if known is None or known.same != set():
            if len(self.waiting) >= WAITING:  # of expressions that failed
                self.waiting.clear()
                self.cleared += 1
            self.waiting.append((site, number, frozen(value)))
        return value

    def value(self, site: int, mark: tuple[int, int], value: 'T') -> 'T':
        known = self.values[site]
        if known is None:
            known = self.values[site] = Value()
        cleared, height = mark
        whole = cleared == self.cleared and height <= len(self.waiting)
        mine = self.waiting[height:] if whole else []
        if whole:  # operands of other expressions are those of expressions around this one
            self.waiting[height:] = [operand for operand in mine if operand[0] != site]
        if known.varies and known.same == set():
            return value
        now = frozen(value)
        if now is OTHER:
            known.varies, known.same = True, set()
        elif now is not LARGE:
            if known.first is None:
                known.first, known.text = now, shown(value)
            known.varies = known.varies or now != known.first
            if whole:
                same = {k for of, k, operand in mine if of == site and operand == now}
                known.same = same if known.same is None else known.same & same
        return value

    def seen(self) -> list[tuple[int, int, str]]:
        """For each site its outcomes, an operand that always had its value, or -1, and its one value, or ''."""
        return [
            (outcome, min(known.same or [-1]), '' if known.varies else known.text) if known else (outcome, -2, '')
            for outcome, known in zip(self.outcomes, self.values)
        ]


def watched(sites: int, name: str) -> None:
    """Gives a Watched a name that the program cannot know, and takes this function away. It is called before all code of the program."""
    del builtins.watched  # type: ignore[attr-defined]
    setattr(builtins, name, Watched(sites))


builtins.watched = watched  # type: ignore[attr-defined]
