"""Watches a program: which of its code comes to an end, which outcomes its conditions have, which values its expressions, and what it remembers.

The program passes what is watched through the methods of Watched, which give it back.
"""
import builtins
import functools
import gc
import marshal
import operator
import sys
import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeVar

    T = TypeVar('T')

CONTAINERS = (list, tuple, dict, set, frozenset)
PLAIN = frozenset([int, complex, str, bytes, bool, type(None), type(...), range, type])
CONSTANT = PLAIN | {float, types.GetSetDescriptorType, types.MemberDescriptorType}
CACHED = type(functools.lru_cache(len))
CONTEXT = operator.attrgetter('prec', 'rounding', 'Emin', 'Emax', 'capitals', 'clamp')  # of decimal
LARGEST = 1000  # items of a value that is compared
SHOWN = 60  # characters of a value
OBJECTS = 20_000  # whose state is recorded
KEPT = 100  # functions that a program makes, whose state is recorded


def shown(value: object) -> str:
    """A value for people."""
    if type(value) is int and value.bit_length() > 200:
        return 'an int of %d bits' % value.bit_length()
    text = repr(value)
    return text if len(text) <= SHOWN else text[:SHOWN] + '...'


class State:
    """What a program remembers: what its variables, classes and functions hold on to."""

    def __init__(self, space: 'dict[str, Any]', file: str) -> None:
        self.space, self.file = space, file
        self.shared = {id(space), id(vars(builtins))}  # of all functions
        self.first: dict[str, tuple[object, object]] = {}
        self.made: list[tuple[str, object, object]] = []  # of functions that functions make
        self.changed: list[str] = []

    def begin(self) -> None:
        """Records the state that is compared."""
        self.first = {place: (value, self.record(value)) for place, value in self.places()}

    def look(self) -> None:
        """Notes what is not as it was. It may be so again in the end."""
        changed = [place for place, value, record in self.made if self.record(value) != record]
        for place, value in self.places():
            was, record = self.first.get(place, (None, None))
            if was is not value and place.startswith('the variable'):
                changed.append(place + ', which is bound again')
            elif self.record(value) != record:
                changed.append(place)
        self.changed += [place for place in changed if place not in self.changed]

    def keep(self, value: object) -> None:
        """Records what functions hold on to that a function of the program has made."""
        for made in gc.get_referents(value) if type(value) in CONTAINERS else [value]:
            if isinstance(made, types.FunctionType) and made.__code__.co_filename == self.file and '<locals>' in made.__qualname__ and len(self.made) < KEPT:
                self.made += [(place, held, self.record(held)) for place, held in self.held(made.__name__, made)]

    def places(self) -> 'list[tuple[str, Any]]':
        """What is recorded, and what it is called."""
        found: list[tuple[str, Any]] = []
        for name, value in list(self.space.items()):
            if not name.startswith('__'):
                found += self.held(name, value)
                if issubclass(type(value), type) and value.__module__ == self.space['__name__']:
                    for attribute, inner in list(vars(value).items()):
                        found += self.held(name + '.' + attribute, inner.__func__ if type(inner) in (staticmethod, classmethod) else inner)
        if 'decimal' in sys.modules:
            found.append(('the context of decimal', CONTEXT(sys.modules['decimal'].getcontext())))
        return found

    def held(self, name: str, value: 'Any') -> 'list[tuple[str, Any]]':
        """What a value holds on to."""
        if type(value) is not types.FunctionType:
            return [(name + ', which is cached' if type(value) is CACHED else 'the variable ' + name, value)]
        defaults = value.__defaults__, value.__kwdefaults__
        found: list[tuple[str, Any]] = [('a default of ' + name, None if defaults[0] is None and defaults[1] is None else defaults)]
        for variable, cell in zip(value.__code__.co_freevars, value.__closure__ or ()):
            found.append((f'the variable {variable} of a function that outlives its call', cell))
        for attribute, inner in vars(value).items():
            found.append(('the variable ' + name + '.' + attribute, inner))
        return found

    def record(self, root: object) -> object:
        """A value with all that it holds on to, as data that stays equal while nothing of it changes."""
        if type(root) in CONSTANT:
            return None
        queue: list[Any] = [root]
        numbers, record = {id(root): 0}, []
        for value in queue:
            kind = type(value)
            if issubclass(kind, (type, types.ModuleType, types.CodeType)) or id(value) in self.shared:
                continue
            if isinstance(value, types.FunctionType) and value.__globals__ is not self.space:
                continue
            try:
                record.append(hash(marshal.dumps(value, 2)))
                continue
            except ValueError:
                record.append(hash(kind))
            if kind is types.BuiltinFunctionType and type(value.__self__) is types.ModuleType:
                continue
            if kind.__module__ == 'builtins' and hasattr(kind, '__length_hint__'):
                record.append(operator.length_hint(value))
            elif kind.__module__ == 'itertools':
                record.append(hash(repr(value)))
            elif isinstance(value, types.GeneratorType):
                record.append(value.gi_frame.f_lasti if value.gi_frame else -1)
            for inner in gc.get_referents(value):
                if id(inner) not in numbers:
                    numbers[id(inner)] = len(queue)
                    queue.append(inner)
                record.append(numbers[id(inner)])
            if len(queue) > OBJECTS:
                return object()  # equal to nothing
        return record


def make_manager(ended: 'set[int]') -> 'Any':
    """Makes the class of context managers that add their site to a set when an exception ends their block. It is made only for a program that has any."""

    class Manager:
        """A context manager in the place of another."""

        def __init__(self, site: int, manager: object) -> None:
            self.site, self.manager = site, manager

        def leave(self, exit: str, kind: object, *rest: object) -> 'Any':
            if kind:
                ended.add(self.site)
            return getattr(type(self.manager), exit)(self.manager, kind, *rest)

        def __enter__(self) -> object:
            return type(self.manager).__enter__(self.manager)  # type: ignore[attr-defined]

        def __exit__(self, *raised: object) -> object:
            return self.leave('__exit__', *raised)

        async def __aenter__(self) -> object:
            return await type(self.manager).__aenter__(self.manager)  # type: ignore[attr-defined]

        async def __aexit__(self, *raised: object) -> object:
            return await self.leave('__aexit__', *raised)

    return Manager


class Watched:
    def __init__(self, space: 'dict[str, Any]', file: str = '<string>') -> None:
        self.state = State(space, file)
        # Of values that must be seen to matter: the first, hashed, and for people; and those that have another.
        self.first: dict[int, int] = {}
        self.texts: dict[int, str] = {}
        self.varying: set[int] = set()
        self.make: Any = None  # a Manager
        # Sites that were true, came to their end, and that were false.
        self.yes: set[int] = set()
        self.no: set[int] = set()
        self.link: dict[int, int] = {}  # the last operand of a chain of comparisons
        self.others: list[bytes] = []  # they move the program's objects

    def end(self, site: int, value: 'T') -> 'T':
        """A value of a program whose functions make functions."""
        self.yes.add(site)
        if type(value) is types.FunctionType or type(value) in CONTAINERS:
            self.state.keep(value)
        return value

    def outcome(self, site: int, value: 'T') -> 'T':
        """A condition whose value is used. An object is not asked for its truth."""
        if type(value) in PLAIN or type(value) in CONTAINERS:
            (self.yes if value else self.no).add(site)
        else:
            self.yes.add(site)
            self.no.add(site)
        return value

    def operand_of_chain(self, site: int, number: int, value: 'T') -> 'T':
        self.link[site] = number
        return value

    def chain(self, site: int, value: 'T') -> 'T':
        """The value of a < b < c, whose comparisons are the sites from the given one on."""
        last = site + self.link.get(site, 0)
        self.yes.update(range(site, last))
        self.outcome(last, value)
        return value

    def manager(self, site: int, value: object) -> object:
        self.make = self.make or make_manager(self.yes)
        return self.make(site, value)

    def value(self, site: int, value: 'Any') -> 'Any':
        """A value that must be seen to matter. Objects count as two values, and large ones as none."""
        self.yes.add(site)
        if site in self.varying or isinstance(value, CONTAINERS) and len(value) > LARGEST:
            return value
        try:
            now = hash(marshal.dumps(value, 2))
        except ValueError:
            if type(value) not in PLAIN:
                self.varying.add(site)
                return value
            now = hash(value)
        if site not in self.first:
            self.first[site], self.texts[site] = now, shown(value)
        elif now != self.first[site]:
            self.varying.add(site)
        return value

    def seen(self) -> 'tuple[list[int], list[int], list[tuple[int, bool, str]], list[str]]':
        """The sites that were true or came to their end, and that were false; for each value its site, whether it varies, and the first; and the state that has changed."""
        values = [(site, site in self.varying, self.texts.get(site, '')) for site in sorted(self.texts.keys() | self.varying)]
        self.state.look()
        return sorted(self.yes), sorted(self.no), values, self.state.changed


def watched(name: str, space: 'dict[str, Any]', sizes: 'Iterable[int]') -> None:
    """Gives a Watched a name that the program cannot know, and takes this function away. It is called before all code of the program."""
    del builtins.watched  # type: ignore[attr-defined]
    made = Watched(space, sys._getframe(1).f_code.co_filename)
    made.others = [bytes(size) for size in sizes]
    for end, value in ('', made), ('_yes', made.yes.add), ('_no', made.no.add):
        setattr(builtins, name + end, value)


builtins.watched = watched  # type: ignore[attr-defined]
