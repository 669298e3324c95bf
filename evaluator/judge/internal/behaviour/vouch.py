"""Watches expressions: which have one value in all calls, or always the value of an operand.

A program calls watched.site(number, watched.mark(), value) for each expression and
watched.operand(site, number, value) for each operand, and gets the value back.
"""
import builtins

PLAIN = frozenset([int, complex, str, bytes, bool, type(None), type(...), range, type])
NODES = 1000  # of a value that is compared
WAITING = 10_000  # operands that wait for their expression
SHOWN = 60  # characters of a value

LARGE, OTHER = 'large', 'other'  # a value that is too large to be compared; an object


class Large(Exception):
    """A value is too large to be compared, or has an object in it."""


def nodes(value, left):
    """A container as tuples that are equal where containers are the same."""
    left[0] -= 1
    kind = type(value)
    if kind is float:
        return kind, 'nan' if value != value else value
    if kind in PLAIN:
        return kind, value
    if left[0] < 0 or kind not in (list, tuple, dict, set, frozenset) or len(value) > left[0]:
        raise Large
    if kind is dict:
        return kind, tuple([(nodes(k, left), nodes(v, left)) for k, v in value.items()])
    items = [nodes(item, left) for item in value]
    return kind, frozenset(items) if kind in (set, frozenset) else tuple(items)


def frozen(value):
    """A value that is equal where values are the same, LARGE, or OTHER."""
    kind = type(value)
    if kind in PLAIN:
        return kind, value
    if kind not in (float, list, tuple, dict, set, frozenset):
        return OTHER
    try:
        return nodes(value, [NODES])
    except (Large, RecursionError):
        return LARGE


def shown(value):
    """A value for people."""
    if type(value) is int and value.bit_length() > 200:
        return 'an int of %d bits' % value.bit_length()
    text = repr(value)
    return text if len(text) <= SHOWN else text[:SHOWN] + '...'


class Site:
    """What is known of an expression."""

    def __init__(self):
        self.first = None  # its first value, frozen
        self.text = ''  # the same for people
        self.varies = False
        self.same = None  # the operands that always had its value


class Watched:
    def __init__(self, sites):
        self.sites = [None] * sites
        self.waiting = []
        self.cleared = 0

    def mark(self):
        return self.cleared, len(self.waiting)

    def operand(self, site, number, value):
        known = self.sites[site]
        if known is None or known.same != set():
            if len(self.waiting) >= WAITING:  # of expressions that failed
                self.waiting.clear()
                self.cleared += 1
            self.waiting.append((site, number, frozen(value)))
        return value

    def site(self, number, mark, value):
        known = self.sites[number]
        if known is None:
            known = self.sites[number] = Site()
        cleared, height = mark
        whole = cleared == self.cleared and height <= len(self.waiting)
        mine = self.waiting[height:] if whole else []
        if whole:  # operands of other expressions are those of expressions around this one
            self.waiting[height:] = [operand for operand in mine if operand[0] != number]
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
                same = {k for site, k, operand in mine if site == number and operand == now}
                known.same = same if known.same is None else known.same & same
        return value

    def shown(self):
        """For each expression that was evaluated an operand that always had its value, or -1, and its one value, or ''."""
        return [(min(known.same or [-1]), '' if known.varies else known.text) if known else () for known in self.sites]


builtins.watched_name = Watched(0)
