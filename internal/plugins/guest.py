"""What runs in the sandbox: flake8's plugins, by flake8's own modules.

The program begins with load, which imports the plugins. Its memory is then saved. The calls, on copies of it, are configure, check and render. Each
reads its request from REQUEST, and returns JSON.

The plugins of pycodestyle, pyflakes and mccabe are loaded as flake8 loads them, for their options and their places among the others. In their place
stand markers: the host has their findings already. A plugin that replaces parts of flake8, pycodestyle, pyflakes or mccabe may change those findings;
then they run here too, and the host takes all findings from here.
"""

import builtins
import functools
import gc
import json
import operator
import os
import sys
import warnings
from types import ModuleType

REQUEST = "/codelinter/request.json"


def read_request():
    with open(REQUEST, encoding="utf-8") as file:
        return json.load(file)


def text(hexed):
    return os.fsdecode(bytes.fromhex(hexed))


def stand_in():
    """Provides modules of the standard library that plugins and flake8.checker import, and that need a system. Their use fails."""
    def refuse(*args, **kwargs):
        raise OSError("not possible in the sandbox")

    multiprocessing, pool, mmap = ModuleType("multiprocessing"), ModuleType("multiprocessing.pool"), ModuleType("mmap")
    multiprocessing.pool = pool
    multiprocessing.cpu_count = lambda: 1
    multiprocessing.__path__ = []
    multiprocessing.Pool = pool.Pool = refuse
    mmap.mmap, mmap.ACCESS_READ = type("mmap", (), {"__init__": refuse}), 1
    exists = os.access

    def access(path, mode, **kwargs):
        """Tells of the linted file whether it may be executed, which the guest's files do not know."""
        return exists(path, mode & ~os.X_OK, **kwargs) and (not mode & os.X_OK or os.path.isdir(path) or Running.executable)

    os.access = access
    os.getuid = os.geteuid = os.getgid = os.getegid = lambda: 1000
    sys.modules.update({module.__name__: module for module in (multiprocessing, pool, mmap)})


def quicken():
    """Puts quicker functions in the place of those of ast, tokenize and logging that plugins spend most of their time in. Results are the same, and in the same order."""
    quicken_trees()
    quicken_tokens()
    quicken_logging()


def quicken_trees():
    import _trees
    import ast

    ast.iter_fields, ast.iter_child_nodes, ast.walk = _trees.iter_fields, _trees.iter_child_nodes, _trees.walk
    visit_below, literal_eval = _trees.visit_below, ast.literal_eval
    visit_constant, missing = ast.NodeVisitor.visit_Constant, object()
    # Names are interned: the interpreter remembers where it finds such an attribute.
    visitors = {}
    of_constants = {kind: sys.intern("visit_" + name) for kind, name in ast._const_node_type_names.items()}

    def visit(self, node):
        kind = node.__class__
        try:
            name = visitors[kind]
        except KeyError:
            name = visitors[kind] = sys.intern("visit_" + kind.__name__)
        visitor = getattr(self, name, missing)
        if visitor is missing:
            return self.generic_visit(node)
        return visitor(node)

    def generic_visit(self, node):
        visit_below(self, node)

    def visit_Constant(self, node):
        name = of_constants.get(type(node.value))
        if name is None or getattr(self, name, missing) is not missing:
            return visit_constant(self, node)
        return self.generic_visit(node)

    def evaluate(node_or_string):
        # pydocstyle evaluates a docstring for each of its checks.
        if type(node_or_string) is not str:
            return literal_eval(node_or_string)
        value = Running.literals.get(node_or_string, missing)
        if value is missing:
            value = literal_eval(node_or_string)
            if type(value) in of_constants:  # which no caller can change
                Running.literals[node_or_string] = value
        return value

    ast.literal_eval = evaluate
    ast.NodeVisitor.visit, ast.NodeVisitor.generic_visit, ast.NodeVisitor.visit_Constant = visit, generic_visit, visit_Constant
    _trees.visitors(visit, generic_visit, visit_Constant, visitors, of_constants)


def quicken_tokens():
    """Makes the tokens of a file once, though flake8 and many plugins ask for them. Lines are read, and tokens given, in the order of the tokenizer."""
    import _tokenize
    import _trees
    import itertools
    import tokenize

    convert, token, tokenizer, missing = _trees.convert, tokenize.TokenInfo, _tokenize.TokenizerIter, object()

    def generate_tokens(source, encoding=None, extra_tokens=False):
        try:
            if encoding is not None or not extra_tokens or not Running.lines:
                options = {} if encoding is None else {"encoding": encoding}
                yield from convert(tokenizer(source, extra_tokens=extra_tokens, **options), token)
                return
            line = read(source)
            if line != Running.lines[0]:
                yield from tokens_of(rest([line], source))
                return
            if not Running.steps:
                yield from noted(line, source)
                return
            # The lines are those that were noted, as long as they are the same.
            first, *steps = Running.steps
            yield from first[1]
            for i, (known, tokens) in enumerate(steps, 1):
                try:
                    line = source()
                except StopIteration:
                    line = None
                if line != known:
                    yield from other(Running.steps[:i], line, source)
                    return
                yield from tokens
        except SyntaxError as error:
            if type(error) is not SyntaxError:
                raise error from None
            raise tokenize.TokenError(tokenize._transform_msg(error.msg), (error.lineno, error.offset)) from None

    def read(source):
        """Returns the next line, or None if there is none."""
        try:
            return source()
        except StopIteration:
            return None

    def rest(lines, source):
        """Returns an iterator over lines that were read, and those that source has yet."""
        if lines[-1] is None:
            return iter(lines[:-1])
        return itertools.chain(lines, iter(source, missing))

    def tokens_of(lines):
        return convert(tokenizer(lines.__next__, extra_tokens=True), token)

    def noted(line, source):
        """Yields tokens, and notes each line that is read with the tokens that come before the next one is."""
        lines, steps = rest([line], source), []

        def reading():
            steps.append((next(lines, None), []))
            if steps[-1][0] is None:
                raise StopIteration
            return steps[-1][0]

        for made in convert(tokenizer(reading, extra_tokens=True), token):
            steps[-1][1].append(made)
            yield made
        Running.steps = steps

    def other(steps, line, source):
        """Returns the tokens that follow those of steps, where the text has another line from there on."""
        lines = [*(known for known, _ in steps), line]
        return itertools.islice(tokens_of(rest(lines, source)), sum(len(tokens) for _, tokens in steps), None)

    tokenize._generate_tokens_from_c_tokenizer = generate_tokens


def quicken_logging():
    import logging

    log_debug = logging.Logger.debug

    def debug(self, message, *args, **kwargs):
        # What isEnabledFor would find: pydocstyle asks at each token.
        if type(self) is not logging.Logger or self._cache.get(logging.DEBUG) is not False:
            log_debug(self, message, *args, **kwargs | {"stacklevel": kwargs.get("stacklevel", 1) + 1})

    logging.Logger.debug = debug


class State:
    """What stays from one call to the next."""

    config = None  # configparser.RawConfigParser
    config_folder = ""
    plugins = None  # flake8.plugins.finder.Plugins
    manager = None  # flake8.options.manager.OptionManager
    options = None  # argparse.Namespace
    whole = False  # the findings of pycodestyle, pyflakes and mccabe come from here
    guide = None  # flake8.style_guide.StyleGuideManager, if what is reported is decided here
    checkers = None  # flake8.plugins.finder.Checkers that run here
    modules = None  # sys.modules after configure
    surroundings = None  # what else must not change, see surroundings
    originals = None  # what plugins might replace, and the objects that were there
    parser = None  # of flake8's first pass


# What standard error has before a package is imported, so that the host knows which one was the last.
ANNOUNCED = b"\0importing %s\n"


class Asked(Exception):
    """The command line asks for a text, or is wrong."""


def is_builtin(loaded):
    return loaded.plugin.entry_point.value.partition(":")[0] in {"flake8.plugins.pycodestyle", "flake8.plugins.pyflakes", "mccabe"}


# The modules in which flake8's own findings are made, and those in which it decides what is reported.
FINDING = ("flake8.checker", "flake8.processor", "flake8.plugins.pycodestyle", "flake8.plugins.pyflakes", "pycodestyle", "mccabe", "pyflakes.checker",
           "pyflakes.messages")
DECIDING = ("flake8.style_guide", "flake8.violation", "flake8.defaults")


def replaceable():
    """Returns what plugins might replace in these modules, by its place."""
    found = {}
    for name in FINDING + DECIDING:
        module = sys.modules.get(name)
        if module is None:
            continue
        for key, value in vars(module).items():
            if key.startswith("__") or key == "_mp":
                continue
            found[name, key] = value
            if isinstance(value, type) and value.__module__ == name:
                for attribute, member in vars(value).items():
                    if callable(member) or isinstance(member, (staticmethod, classmethod, property)):
                        found[name, key, attribute] = member
    return found


def load(request):
    """Imports the plugins, and returns what there is to say about them."""
    sys.path[:] = request["paths"]
    warnings.simplefilter("ignore")  # of the plugins' own sources
    stand_in()
    quicken()
    import configparser

    import mccabe  # noqa: F401
    import pycodestyle  # noqa: F401
    import pyflakes.checker  # noqa: F401

    import flake8
    from flake8 import checker, exceptions, style_guide  # noqa: F401
    from flake8.main import options
    from flake8.plugins import finder, pycodestyle as logical, pyflakes as names  # noqa: F401

    State.originals = replaceable()
    config = configparser.RawConfigParser()
    config.read_dict(request["config"])
    wanted = finder.parse_plugin_options(
        config, "/", enable_extensions=request["enable_extensions"], require_plugins=request["require_plugins"])
    wanted = wanted._replace(local_plugin_paths=tuple(request["local_folders"]))
    said = {"distributions": request["distributions"]}
    load_plugin = finder._load_plugin

    def announced(plugin):
        os.write(2, ANNOUNCED % plugin.package.encode())
        try:
            return load_plugin(plugin)
        except (SystemExit, KeyboardInterrupt) as error:
            raise exceptions.FailedToLoadPlugin(plugin.package, error)

    finder._load_plugin = announced
    try:
        raw = named(finder.find_plugins(config, wanted), request["packages"])
        State.plugins = plugins = finder.load_plugins(raw, wanted)
    except exceptions.ExecutionError as error:
        return said | {"execution_error": str(error)}
    except exceptions.FailedToLoadPlugin as error:
        cause = error.original_exception
        text = str(error) if str(cause) and isinstance(cause, Exception) else error.FORMAT % {"name": error.plugin_name, "exc": repr(cause)}
        return said | {"error": text, "missing": cause.name if isinstance(cause, ImportError) else None}
    except NotImplementedError as error:
        return said | {"error": str(error)}
    finally:
        finder._load_plugin = load_plugin
    State.parser = options.stage1_arg_parser()
    return said | {"plugins": [describe(loaded) for loaded in listed(plugins)], "options": new_manager()}


def named(raw, packages):
    """Returns flake8's own plugins and those of some packages, or all."""
    if not packages:
        return raw
    packages = {*packages, "flake8", "pycodestyle", "pyflakes", "mccabe"}
    return [plugin for plugin in raw if normalized(plugin.package) in packages]


def normalized(package):
    """Returns a package's name as the package index compares it."""
    import re

    return re.sub("[-_.]+", "-", package).lower()


def listed(plugins):
    """Yields all plugins, those that are off too, but not flake8's own formats."""
    for loaded in [*plugins.all_plugins(), *plugins.disabled]:
        if loaded.plugin.package != "flake8":
            yield loaded


def describe(loaded):
    plugin = loaded.plugin
    kind = "report"
    if plugin.entry_point.group == "flake8.extension":
        kind = next((kind for kind in ("tree", "logical_line", "physical_line") if kind in loaded.parameters), "")
    return {
        "package": plugin.package, "version": plugin.version, "name": plugin.entry_point.name, "object": plugin.entry_point.value, "kind": kind,
        "off": loaded in State.plugins.disabled,
    }


def new_manager():
    """Makes the parser of all options, and returns those of plugins."""
    import argparse

    import flake8
    from flake8.main import options
    from flake8.options import manager

    plugins = State.plugins
    State.manager = made = manager.OptionManager(
        version=flake8.__version__, plugin_versions=plugins.versions_str(), parents=[State.parser], formatter_names=list(plugins.reporters))
    options.register_default_options(made)
    own = {id(action) for action in made.parser._actions}
    made.register_plugins(plugins)
    formatter = argparse.HelpFormatter("flake8")
    found = []
    for group in made.parser._action_groups:
        for action in group._group_actions:
            if id(action) in own or not action.option_strings or group.title in {"mccabe", "pyflakes"}:
                continue
            found.append({
                "group": group.title, "names": action.option_strings, "head": formatter._format_action_invocation(action),
                "help": formatter._expand_help(action) if action.help and action.help != argparse.SUPPRESS else "",
                "hidden": action.help == argparse.SUPPRESS, "values": 1 if action.nargs is None else action.nargs if action.nargs == 0 else -1,
            })
    for option in made.options:
        for entry in found:
            if option.config_name and entry["names"][-1] == option.option_args[-1]:
                entry["config"] = option.config_name
    return found


# The options that the host has too, by their names in the namespace.
HOST_OPTIONS = (
    "filenames", "quiet", "color", "count", "exclude", "extend_exclude", "filename", "stdin_display_name", "format", "hang_closing", "ignore",
    "extend_ignore", "per_file_ignores", "max_line_length", "max_doc_length", "indent_size", "select", "extend_select", "disable_noqa",
    "show_source", "statistics", "exit_zero", "tee", "benchmark", "bug_report", "max_complexity", "builtins", "doctests",
    "extended_default_select", "extended_default_ignore",
)


def configure():
    """Reads configuration and command line, and prepares the plugins."""
    import configparser

    from flake8 import exceptions
    from flake8.options import aggregator

    request = read_request()
    os.makedirs(request["folder"], exist_ok=True)
    os.chdir(request["folder"])
    State.config = configparser.RawConfigParser()
    if request["config"] is not None:
        State.config.read_dict({"flake8": request["config"]})
    State.config_folder = request["config_folder"]
    parser = State.manager.parser
    asked = []

    def error(message):
        asked[:] = ["usage", message]
        raise Asked

    def write(message, file=None):
        asked[:] = ["version" if message.strip() == version_text(parser) else "help", ""]
        raise Asked

    parser.error, parser._print_message = error, write
    try:
        State.options = options = aggregator.aggregate_options(State.manager, State.config, State.config_folder, request["args"])
        for loaded in State.plugins.all_plugins():
            parse_options = getattr(loaded.obj, "parse_options", None)
            if parse_options is None:
                continue
            try:
                parse_options(State.manager, options, options.filenames)
            except TypeError:
                parse_options(options)
    except Asked:
        return json.dumps({asked[0]: asked[1] or True})
    except exceptions.ExecutionError as problem:
        return json.dumps({"execution_error": str(problem)})
    except (SystemExit, Exception) as problem:
        return json.dumps({"error": f"{type(problem).__name__}: {problem}" if type(problem) is not ValueError else str(problem)})
    finally:
        del parser.error, parser._print_message
    choose_checkers()
    values = {name: plain(getattr(options, name, None)) for name in HOST_OPTIONS}
    values["jobs"] = str(options.jobs)
    if not isinstance(options.per_file_ignores, str):
        values["per_file_ignores"] = "\n".join(options.per_file_ignores)  # as flake8 does, for Flake8-pyproject
    import_early(request["learnt"])
    # What sys.modules has from now on may grow, but not change.
    State.modules = dict(sys.modules)
    State.surroundings = surroundings()
    gc.collect()
    gc.freeze()  # what is there stays, and a collection need not look at it nor write to its memory
    gc.set_threshold(20000)  # ten times the usual: the trees of a file live as long as it is checked
    return json.dumps({"values": values, "whole": State.whole, "decided": State.guide is not None, "formats": [name for name in State.plugins.reporters if not own_format(name)]})


def plain(value):
    """Returns a value as the host takes it: a plugin may have put a tuple or a set in the place of a list."""
    if isinstance(value, (tuple, set, frozenset)):
        return list(value)
    return value


# A file with something of everything, for learn.
SAMPLE = '''"""A module."""
import os
from typing import Any

NAMES = ["a", 'b']


class Thing(Exception):
    """A class."""

    def method(self, first: int, second: Any = None) -> str:
        """Do it."""
        try:
            with open(os.path.join("a", "b")) as file:
                return f"{file.read()} {first}"
        except (OSError, ValueError) as error:  # TODO: more
            raise Thing("it is %s" % error) from error
        finally:
            print({name: [i for i in name if i != second] for name in NAMES})


async def wait(*args, **kwargs):
    x = lambda: await_it(*args)
    for _ in range(3):
        assert x() == None, "text"
    while True:
        yield 1 if kwargs else -2
'''


def learn():
    """Checks a file, after configure, and returns what plugins import and compile only then. This state is thrown away."""
    import re

    modules, patterns = set(sys.modules), set(re._cache) | set(re._cache2)
    name = os.path.abspath("learn.py")
    with open(name, "w", encoding="utf-8") as file:
        file.write(SAMPLE)
    make = make_checker()
    for plugins in [State.checkers, *(State.checkers._replace(tree=[tree]) for tree in State.checkers.tree)]:
        try:
            make(filename=name, plugins=plugins, options=State.options).run_checks()
        except BaseException:
            continue  # it is for the user's files to show that
        if plugins is State.checkers:
            break  # no plugin needs to be tried alone
    compiled = [[key[1], key[2]] for key in {*re._cache, *re._cache2} - patterns if key[0] is str]
    return json.dumps({"modules": [name for name in sys.modules if name not in modules], "patterns": compiled})


def import_early(learnt):
    """Imports and compiles what plugins would at their first file, which a saved program need not do again."""
    import importlib
    import re

    for name in learnt["modules"]:
        try:
            importlib.import_module(name)
        except BaseException:
            pass  # as at the first file
    for pattern, flags in learnt["patterns"]:
        try:
            re.compile(pattern, flags)
        except Exception:
            pass


def version_text(parser):
    action = next(action for action in parser._actions if "--version" in action.option_strings)
    formatter = parser._get_formatter()
    formatter.add_text(action.version)
    return formatter.format_help().strip()


def own_format(name):
    return State.plugins.reporters[name].plugin.package == "flake8"


def choose_checkers():
    now = replaceable()
    # FlakesChecker.parse_options sets _builtins and _with_doctest, which are not callable and so not looked at.
    replaced = {place[0] for place, value in State.originals.items() if now.get(place) is not value}
    State.whole = bool(replaced)
    if replaced.intersection(DECIDING):
        State.guide = make_guide()
    checkers = State.plugins.checkers
    if not State.whole:
        checkers = type(checkers)(
            tree=marked(checkers.tree), logical_line=marked(checkers.logical_line), physical_line=marked(checkers.physical_line))
    State.checkers = checkers


def make_guide():
    from flake8 import style_guide
    from flake8.formatting.base import BaseFormatter

    class Collector(BaseFormatter):
        def handle(self, error):
            Running.reported.append(error)

    return style_guide.StyleGuideManager(State.options, Collector(State.options))


def decided(name, results):
    """Returns those findings that flake8 reports."""
    Running.reported = []
    results.sort(key=lambda result: result[1:3])
    with State.guide.processing_file(name):
        for code, row, column, message, line in results:
            State.guide.handle_error(code, name, row, column, message, line)
    return [(error.code, error.line_number, error.column_number - 1, error.text, None) for error in Running.reported]


def marked(plugins):
    """Returns plugins with markers in place of flake8's own, or none if there are no others."""
    if all(is_builtin(loaded) for loaded in plugins):
        return []
    return [loaded._replace(obj=MARKERS[loaded.entry_name], parameters={}) if is_builtin(loaded) else loaded for loaded in plugins]


def marker(rank):
    def mark(**kwargs):
        Running.rank = rank
        return ()

    return mark


# A rank says where in flake8's order findings at one place stand. Those of the host are the odd ones:
# 1 C901, 3 F, 6 the physical lines of pycodestyle, 9 its logical lines.
MARKERS = {"C90": marker(2), "F": marker(4), "W": marker(7), "E": marker(10)}


class Running:
    """The file that is checked."""

    rank = 0
    plugin = ""  # that was called last
    executable = False
    reported = []
    lines = ()  # as flake8 reads them
    steps = None  # its tokens, see quicken_tokens
    literals = {}  # what texts are as literals


@functools.cache
def make_checker():
    """Returns the class that checks a file by the plugins alone. It notes each finding's rank, and leaves out what the host does."""
    from flake8 import checker, processor

    class FileChecker(checker.FileChecker):
        def report(self, error_code, line_number, column, text):
            if error_code is None:
                error_code, text = text.split(" ", 1)
            self.results.append((error_code, line_number, column, text, Running.rank))
            return error_code

        def run_check(self, plugin, **arguments):
            Running.plugin = plugin.display_name
            return super().run_check(plugin, **arguments)

        def run_ast_checks(self):
            if self.plugins.tree:
                Running.rank = 0
                super().run_ast_checks()

        def run_physical_checks(self, physical_line):
            Running.rank = 5
            super().run_physical_checks(physical_line)

        def run_logical_checks(self):
            Running.rank = 8
            super().run_logical_checks()

        def process_tokens(self):
            if self.plugins.logical_line or self.plugins.physical_line:
                super().process_tokens()

        def run_checks(self):
            # Without flake8's answer to a SyntaxError: the host has found that the file is Python.
            self.run_ast_checks()
            self.process_tokens()
            return self.display_name, self.results, self.statistics

    class FileProcessor(processor.FileProcessor):
        def should_ignore_file(self):
            return False  # the host would not have asked

    def make_processor(self):
        processor = FileProcessor(self.filename, self.options)
        Running.lines = processor.lines
        return processor

    FileChecker._make_processor = make_processor
    return FileChecker


def check():
    """Checks a file. It returns the findings, or what went wrong."""
    from flake8 import checker, exceptions

    request = read_request()
    name = text(request["name"])
    State.options.stdin_display_name = name if request["stdin"] else "stdin"
    State.options.filenames = ["-" if request["stdin"] else name]
    Running.plugin, Running.executable = "", request["executable"]
    Running.lines, Running.steps, Running.literals = (), None, {}
    answer = {}
    make = checker.FileChecker if State.whole else make_checker()
    try:
        _, results, _ = make(filename="-" if request["stdin"] else name, plugins=State.checkers, options=State.options).run_checks()
        if State.guide:
            results = decided(name, results)
        answer["findings"] = [[code, int(row), int(column or 0), message, 0 if State.whole else rank] for code, row, column, message, rank in results]
    except exceptions.PluginExecutionFailed as error:
        answer["failed"] = str(error)
    except exceptions.PluginRequestedUnknownParameters as error:
        answer["error"] = str(error)
    except SyntaxError as error:
        answer["syntax"] = f"{type(error).__name__}: {error.args[0] if error.args else error} (line {error.lineno})"
    except SystemExit as error:
        answer["error"] = f'"{Running.plugin}" ended the interpreter: SystemExit({error.code!r})'
    except RecursionError as error:
        answer["failed"] = str(exceptions.PluginExecutionFailed(name, Running.plugin, error))
    except BaseException as error:
        answer["failed"] = str(exceptions.PluginExecutionFailed(name, Running.plugin or "flake8", error))
    flush()
    answer["changed"] = "findings" not in answer or is_changed()
    return json.dumps(answer)


def surroundings():
    """Returns what plugins share with all else that runs: the built-in names, the streams and the current directory."""
    return {**vars(builtins), "stdout": sys.stdout, "stderr": sys.stderr, "path": tuple(sys.path), "folder": os.getcwd()}


def is_changed():
    """Tells whether a plugin has changed what others use, so that the next file needs a fresh copy."""
    same = map(operator.is_, map(sys.modules.get, State.modules), State.modules.values())
    return not all(same) or surroundings() != State.surroundings


def flush():
    for stream in (State.surroundings["stdout"], State.surroundings["stderr"]):
        try:
            stream.flush()
        except ValueError:
            pass  # a plugin has closed it


def render():
    """Renders findings by a plugin's format, to standard output."""
    from flake8.violation import Violation

    request = read_request()
    options = State.options
    options.output_file, options.tee = None, False
    if request["color"]:
        options.color = "always"
    formatter = State.plugins.reporters[request["format"]].obj(options)
    formatter.start()
    for file in request["files"]:
        formatter.beginning(file["name"])
        for code, row, column, message, line in file["findings"]:
            formatter.handle(Violation(code, file["name"], row, column, message, line))
        formatter.finished(file["name"])
    formatter.stop()
    sys.stdout.flush()
    return "{}"


def main():
    said = load(read_request())
    with open("/codelinter/loaded.json", "w", encoding="utf-8") as out:
        json.dump(said, out)
    if "plugins" not in said:
        raise SystemExit  # there is nothing to be saved


main()
