# Stand-ins for modules that the sandbox does not have. A stand-in has every attribute; what is
# done to it is written down, and gives another one. What is written down is compared.
#
#     import numpy                  numpy
#     total = numpy.sum(x[0])       "#1 = numpy.sum(3)", and total is #1
#     if total > limit:             "#2 = #1 > 9", "bool #2: True"
#
# Truths, lengths and numbers follow from a hash of what a stand-in is and of how often it was
# asked, so that a program sees both truths and an answer the same. To look up an attribute, to
# take the text of a stand-in and to import are not written down.
import abc
import builtins
import opcode
import sys
import types
import zlib

LISTED = 2000  # entries; more of them are told apart by a hash
LONGEST = 2000  # characters of a value


class Log:
    def __init__(self):
        self.clear()

    def clear(self):
        self.entries, self.more, self.rest = [], 0, None

    def add(self, text):
        if len(self.entries) < LISTED:
            self.entries.append(text)
            return
        if self.rest is None:
            import hashlib
            self.rest = hashlib.sha256()
        self.more += 1
        self.rest.update(text.encode("utf-8", "surrogatepass") + b"\0")

    def take(self):
        entries = self.entries
        if self.rest is not None:
            entries.append(f"{self.more} more, {self.rest.hexdigest()}")
        self.clear()
        return entries


log = Log()
made = 0  # stand-ins that operations gave
told = None  # who was asked for its truth last, how many entries the log had then, and what it said


def show(value, depth=6):
    text = plain(value, depth)
    if len(text) > LONGEST:
        text = f"{text[:LONGEST]}... {zlib.crc32(text.encode('utf-8', 'surrogatepass')):x}"
    return text


def plain(value, depth):
    kind = type(value)
    if kind is StandIn:
        return what(value)
    if kind in (bool, float, complex, bytes, str, type(None), type(...), type(NotImplemented), range, slice):
        return repr(value)
    if kind is int:
        return str(value) if -1 << 200 < value < 1 << 200 else hex(value)
    if depth == 0:
        return "..."
    if kind in (list, tuple, set, frozenset):
        items = [show(item, depth - 1) for item in list(value)]
        if kind in (set, frozenset):
            items.sort()
        return f"{kind.__name__}({', '.join(items)})"
    if kind is dict:
        return "{" + ", ".join([f"{show(k, depth - 1)}: {show(v, depth - 1)}" for k, v in list(value.items())]) + "}"
    if kind in (types.FunctionType, types.BuiltinFunctionType):
        return "function" if "<" in value.__qualname__ else value.__qualname__
    if kind is types.MethodType:
        return f"{show(value.__self__, depth - 1)}.{value.__func__.__name__}"
    if kind is types.ModuleType:
        return types.ModuleType.__getattribute__(value, "__name__")
    if issubclass(kind, type):
        return type.__dict__["__qualname__"].__get__(value)
    name = type.__dict__["__qualname__"].__get__(kind)
    if issubclass(kind, BaseException):
        return f"{name}{show(BaseException.args.__get__(value), depth - 1)}"
    try:
        state = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return name
    return f"{name}{show(dict(state), depth - 1)}"


def what(self):
    return object.__getattribute__(self, "_StandIn__what")


def kept(self):
    return object.__getattribute__(self, "_StandIn__kept").__self__


def new(text):
    self = object.__new__(StandIn)
    object.__setattr__(self, "_StandIn__what", text)
    # Behind a method, as who looks at the slots is to see what it is and no more.
    object.__setattr__(self, "_StandIn__kept", {}.get)
    return self


def gives(text):
    global made
    made += 1
    log.add(f"#{made} = {text}")
    return new(f"#{made}")


def chance(self, question):
    asked = kept(self)
    asked[question] = asked.get(question, 0) + 1
    return zlib.crc32(f"{SEED} {what(self)} {question} {asked[question]}".encode("utf-8", "surrogatepass")) >> 7


def truth(self, question, text):
    found = chance(self, question) % 2 == 1
    log.add(f"{text}: {found}")
    return found


def attribute(self, name):
    names = kept(self)
    if name not in names:
        if name[:2] == name[-2:] == "__" and name not in SPECIAL:
            raise AttributeError(f"module has no attribute '{name}'")
        text = what(self)
        if name in ERRORS or name.endswith(("Error", "Exception", "Warning")):
            names[name] = type(name, (StandInError,), {"__module__": text.rstrip(".") or "."})
        else:
            names[name] = new(text + name if text[-1] == "." else f"{text}.{name}")
    return names[name]


class StandInError(Exception):
    def __getattr__(self, name):
        if name[:2] == name[-2:] == "__":
            raise AttributeError(name)
        return new(f"{type(self).__name__}.{name}")


def arguments(args, keywords):
    return ", ".join([show(a) for a in args] + [f"{k}={show(v)}" for k, v in keywords.items()])


def decorates(args, keywords):
    # A call with one function, or one class of the program, is a decorator's and gives it back.
    return len(args) == 1 and not keywords and (
        type(args[0]) is types.FunctionType or isinstance(args[0], type) and args[0].__module__ == "__main__")


def unpacked():
    # How many values the statement wants that iterates, if it is an assignment to so many targets.
    frame = sys._getframe(2)
    code, at = frame.f_code.co_code, frame.f_lasti
    if code[at] == opcode.opmap["UNPACK_SEQUENCE"]:
        return code[at + 1]
    if code[at] == opcode.opmap["UNPACK_EX"]:
        return code[at + 1] + 2
    return None


class StandIn:
    __slots__ = ("__what", "__kept")

    def __getattr__(self, name):
        return attribute(self, name)

    def __setattr__(self, name, value):
        log.add(f"{what(self)}.{name} = {show(value)}")
        kept(self)[name] = value

    def __delattr__(self, name):
        log.add(f"del {what(self)}.{name}")
        kept(self).pop(name, None)

    def __call__(self, /, *args, **keywords):
        text = f"{what(self)}({arguments(args, keywords)})"
        if decorates(args, keywords):
            log.add(text)
            return args[0]
        return gives(text)

    def __getitem__(self, key):
        return gives(f"{what(self)}[{show(key)}]")

    def __setitem__(self, key, value):
        log.add(f"{what(self)}[{show(key)}] = {show(value)}")

    def __delitem__(self, key):
        log.add(f"del {what(self)}[{show(key)}]")

    def __contains__(self, item):
        return truth(self, "in", f"{show(item)} in {what(self)}")

    def __bool__(self):
        global told
        asked = what(self), len(log.entries) + log.more
        if told and told[:2] == asked:
            # bool(a and b) asks a false a twice in a row, where an if asks once.
            found, told = told[2], None
            return found
        found = truth(self, "bool", f"bool {what(self)}")
        told = asked[0], len(log.entries) + log.more, found
        return found

    def __len__(self):
        return chance(self, "len") % 4

    def __iter__(self):
        count = unpacked()
        if count is None:
            count = chance(self, "iter") % 4
        log.add(f"iter {what(self)}: {count}")
        return iter([new(f"{what(self)}[{i}]") for i in range(count)])

    def __reversed__(self):
        return iter(gives(f"reversed {what(self)}"))

    def __next__(self):
        if chance(self, "next") % 4 == 0:
            log.add(f"next {what(self)}: no more")
            raise StopIteration
        return gives(f"next {what(self)}")

    def __enter__(self):
        return gives(f"enter {what(self)}")

    def __exit__(self, kind, exception, traceback):
        log.add(f"exit {what(self)} {kind.__name__ if kind else None}")

    def __await__(self):
        return gives(f"await {what(self)}")
        yield

    async def __aenter__(self):
        return self.__enter__()

    async def __aexit__(self, *raised):
        self.__exit__(*raised)

    async def __aiter__(self):
        for item in list(self):
            yield item

    def __index__(self):
        return chance(self, "int") % 8

    __int__ = __index__

    def __float__(self):
        return chance(self, "float") % 64 / 8

    def __complex__(self):
        return complex(float(self))

    def __str__(self):
        return f"<{what(self)}>"

    __repr__ = __fspath__ = __str__

    def __format__(self, spec):
        return f"<{what(self)}:{spec}>" if spec else str(self)

    def __bytes__(self):
        return str(self).encode()

    def __hash__(self):
        return zlib.crc32(what(self).encode())

    def __copy__(self, memo=None):
        return self

    __deepcopy__ = __copy__

    def __instancecheck__(self, instance):
        return truth(self, "isinstance", f"isinstance {show(instance)} {what(self)}")

    __subclasscheck__ = __instancecheck__

    def __mro_entries__(self, bases):
        names = kept(self)
        if "class" not in names:
            names["class"] = base_class(what(self))
        return (names["class"],)


def operator(name, sign):
    def forward(self, *other):
        if sign in ("==", "!=") and sys._getframe(1).f_globals.get("__name__") != "__main__":
            return (self is other[0]) == (sign == "==")  # a library's own business
        text = f"{what(self)} {sign} {show(other[0])}" if other else f"{sign} {what(self)}"
        if sign == "|" and (other[0] is None or isinstance(other[0], type)):
            return new(f"({text})")  # as in an annotation, which nothing sees
        return gives(text)

    def reflected(self, other):
        return gives(f"{show(other)} {sign} {what(self)}")
    setattr(StandIn, f"__{name}__", forward)
    if hasattr(int, f"__r{name}__") or name == "matmul":
        setattr(StandIn, f"__r{name}__", reflected)


for pair in ("add +", "sub -", "mul *", "matmul @", "truediv /", "floordiv //", "mod %", "pow **", "and &", "or |", "xor ^", "lshift <<",
             "rshift >>", "divmod divmod", "lt <", "le <=", "gt >", "ge >=", "eq ==", "ne !=", "neg -", "pos +", "abs abs", "invert ~",
             "round round", "trunc trunc", "floor floor", "ceil ceil"):
    operator(*pair.split())


class Type(type if METACLASS else abc.ABCMeta):
    def __getattr__(cls, name):
        if name[:1] == "_" or METACLASS:
            raise AttributeError(name)
        return new(f"{cls.__qualname__}.{name}")


def base_class(text):
    # The class that stands for a base: its instances have every attribute, and take every argument.
    def __new__(cls, /, *args, **keywords):
        return object.__new__(cls)

    def __init__(self, /, *args, **keywords):
        log.add(f"{text}.__init__({arguments((self,) + args, keywords)})")

    def __init_subclass__(cls, /, **keywords):
        pass

    def __getattr__(self, name):
        if name[:2] == name[-2:] == "__":
            raise AttributeError(name)
        return new(f"{type(self).__qualname__}().{name}")

    def method(name):
        def called(self, /, *args, **keywords):
            return gives(f"{text}.{name}({arguments((self,) + args, keywords)})")
        return called

    names = {"__new__": __new__, "__init__": __init__, "__init_subclass__": __init_subclass__, "__getattr__": __getattr__}
    for name in INHERITED:
        names.setdefault(name, method(name))
    return (type if METACLASS else Type)(text.rpartition(".")[2] or "Base", (), names)


roots = {}


def module(name):
    # The stand-in for a module, which may have dots before it.
    dots = name[:len(name) - len(name.lstrip("."))]
    parts = name[len(dots):].split(".") if name != dots else []
    first = dots or parts.pop(0)
    if first not in roots:
        roots[first] = new(first)
    found = roots[first]
    for part in parts:
        found = attribute(found, part)
    if type(found) is StandIn:
        sys.modules.setdefault(name, found)
        kept(found).setdefault("__all__", [name for name in STAR if not hasattr(builtins, name)])
    return found


def is_missing(name):
    return name.startswith(tuple([missing + "." for missing in MISSING])) or name in MISSING


real_import = builtins.__import__


def stand_in_import(name, globals=None, locals=None, fromlist=(), level=0):
    if name == "stand-ins":
        return log.take()
    if level > 0 and globals is not None and globals.get("__name__") == "__main__":
        return module("." * level + name)
    if level or not is_missing(name):
        return real_import(name, globals, locals, fromlist, level)
    found = module(name)
    if fromlist:
        return found
    top = name.partition(".")[0]
    if is_missing(top):
        return module(top)
    parent, _, last = name.rpartition(".")
    real_import(parent)
    setattr(sys.modules[parent], last, found)
    return sys.modules[top]


builtins.__import__ = stand_in_import
