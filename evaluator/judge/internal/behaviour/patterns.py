"""Finds texts for which two regular expressions match otherwise."""
import builtins
import itertools
import random
import re
from re import _constants as codes, _parser as parser  # type: ignore[attr-defined]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Use = tuple[str, str, list[str]]  # the function of re, the pattern, names of flags

LARGEST = 0x10FFFF
USUAL = '\n\t \xa0aZ_09.-é٣ßK'
BASES = 24  # texts of each pattern from which others are made
EDITS = 6  # of each of these, besides those that are always made
MOST = 4  # matches of a text that are compared
LONG = 200  # characters of a text that is written


def characters(items: 'Any') -> 'tuple[list[tuple[int, int]], list[Any], bool]':
    """The ranges and categories of a set, and whether it is turned."""
    ranges, categories, turned = [], [], False
    for op, value in items:
        if op is codes.LITERAL:
            ranges.append((value, value))
        elif op is codes.RANGE:
            ranges.append(value)
        elif op is codes.CATEGORY:
            categories.append(value)
        turned = turned or op is codes.NEGATE
    return ranges, categories, turned


SAMPLES = {
    codes.CATEGORY_DIGIT: '07٣', codes.CATEGORY_SPACE: ' \n\xa0', codes.CATEGORY_WORD: 'a_Z5é',
    codes.CATEGORY_NOT_DIGIT: 'x ', codes.CATEGORY_NOT_SPACE: 'x-é', codes.CATEGORY_NOT_WORD: ' -.',
}


class Writer:
    """Writes texts that a pattern matches, or nearly."""

    def __init__(self, rng: random.Random, items: 'Any') -> None:
        self.rng, self.groups = rng, dict[int, str]()
        self.left = LONG
        self.items = items

    def text(self) -> str:
        self.groups, self.left = {}, LONG
        return self.all(self.items)

    def all(self, items: 'Any') -> str:
        return ''.join(self.one(op, value) for op, value in items)

    def one(self, op: 'Any', value: 'Any') -> str:
        if op is codes.LITERAL:
            return chr(value)
        if op is codes.NOT_LITERAL or op is codes.ANY:
            return self.rng.choice('ab1 .' if self.rng.random() < .9 else '\n')
        if op is codes.IN:
            return self.member(value)
        if op is codes.BRANCH:
            return self.all(self.rng.choice(value[1]))
        if op in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            least, most, inner = value
            count = self.rng.choice([least, least, least + 1, least + 2, most, max(least - 1, 0), most + 1])
            text = ''
            for _ in range(count if count < 70 else least + 3):
                if self.left > 0:
                    text += self.all(inner)
                    self.left -= 1
            return text
        if op is codes.SUBPATTERN:
            text = self.all(value[-1])
            self.groups[value[0]] = text
            return text
        if op is codes.ATOMIC_GROUP:
            return self.all(value)
        if op is codes.GROUPREF:
            return self.groups.get(value, '')
        if op in (codes.ASSERT, codes.ASSERT_NOT) and self.rng.random() < .5:
            return self.all(value[1])
        return ''  # a place

    def member(self, items: 'Any') -> str:
        ranges, categories, turned = characters(items)
        if turned:
            return self.rng.choice(USUAL)
        first, last = self.rng.choice(ranges + [(-1, -1)] * len(categories))
        if first < 0:
            return self.rng.choice(SAMPLES.get(self.rng.choice(categories), 'x'))
        return chr(self.rng.choice([first, last, self.rng.randint(first, last)]))


def edges(items: 'Any') -> 'Iterator[str]':
    """The characters at the edges of what a pattern's sets and letters match."""
    for op, value in items:
        ranges: list[tuple[int, int]] = []
        if op is codes.IN:
            ranges, _, _ = characters(value)
        elif op in (codes.LITERAL, codes.NOT_LITERAL):
            ranges = [(value, value)]
        for first, last in ranges:
            for at in (first - 1, first, last, last + 1):
                if 0 <= at <= LARGEST:
                    yield chr(at)
                    yield chr(at).swapcase()
        for inner in value if isinstance(value, (tuple, list)) else ():
            if isinstance(inner, parser.SubPattern):
                yield from edges(inner)
            elif op is codes.BRANCH and isinstance(inner, list):
                for branch in inner:
                    yield from edges(branch)


def texts(trees: 'list[Any]', rng: random.Random) -> 'Iterator[str]':
    """Texts that one of two patterns matches, and others near them."""
    alphabet = sorted({*USUAL, *itertools.chain.from_iterable(edges(tree) for tree in trees)})
    yield ''
    for writer in [Writer(rng, tree) for _ in range(BASES) for tree in trees]:
        text = writer.text()
        yield from (text, text + '\n', text + '\nx', 'x\n' + text + '\nx', text + ' ' + text, text * 2, text.swapcase(), ' ' + text, text + ' ', 'x' + text, text + 'x', text[1:], text[:-1])
        for _ in range(EDITS):
            at, other = rng.randint(0, len(text)), rng.choice(alphabet)
            yield text[:at] + other + text[at + rng.randint(0, 1):]


ALL = 'match', 'fullmatch', 'finditer'  # what a compiled pattern may be used for


def view(function: str, pattern: 're.Pattern[str]', text: str, groups: bool) -> object:
    """What a function of re finds in a text."""
    if function in ('match', 'search', 'fullmatch'):
        found = getattr(pattern, function)(text)
        return found and (found.regs if groups else found.regs[0])
    return [found.regs if groups else found.regs[0] for found in itertools.islice(pattern.finditer(text), MOST)]


def differ(one: 'Use', other: 'Use') -> list[str]:
    """Texts for which two uses of patterns match otherwise: short ones, of each kind of difference one."""
    flags = [0, 0]
    for i, each in enumerate((one, other)):
        for name in each[2]:
            flags[i] |= getattr(re, name)
    first, second = re.compile(one[1], flags[0]), re.compile(other[1], flags[1])
    trees = [parser.parse(one[1], flags[0]), parser.parse(other[1], flags[1])]
    uses = [(one[0], other[0])]
    if 'compile' in uses[0]:
        known = [name for name in uses[0] if name != 'compile']
        uses = [(name, name) for name in known or ALL]
    groups = first.groups == second.groups
    found: dict[tuple[object, ...], str] = {}
    for text in texts(trees, random.Random(1)):
        for use in uses:
            a, b = view(use[0], first, text, groups), view(use[1], second, text, groups)
            if a != b:
                kind = (use, bool(a), bool(b), text.isascii(), '\n' in text)
                if len(text) < len(found.get(kind, 'x' * LONG)):
                    found[kind] = text
    return sorted(set(found.values()), key=lambda text: (not text.isascii(), '\n' in text, len(text), text))


builtins.differ__ = differ  # type: ignore[attr-defined]
