"""Plugins of all kinds, for tests."""
import ast
import sys

from flake8.formatting.base import BaseFormatter


class Names:
    """A tree plugin with options."""

    limit = 3
    banned = ()

    def __init__(self, tree, filename):
        self.tree = tree
        self.filename = filename

    @classmethod
    def add_options(cls, manager):
        manager.add_option("--name-limit", type=int, default=3, parse_from_config=True, help="fewest letters of a name (default: %(default)s)")
        manager.add_option("--banned-names", default="", comma_separated_list=True, parse_from_config=True, help="names not to use")
        manager.add_option("--name-style", choices=["long", "short"], default="long", parse_from_config=True)
        manager.extend_default_ignore(["H102"])

    @classmethod
    def parse_options(cls, options):
        cls.limit = options.name_limit
        cls.banned = tuple(options.banned_names)
        cls.style = options.name_style

    def run(self):
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef) and len(node.name) < self.limit:
                yield node.lineno, node.col_offset, f"H100 the name {node.name!r} is {self.style}er than it should be", type(self)
            if isinstance(node, ast.Name) and node.id in self.banned:
                yield node.lineno, node.col_offset, f"H101 the name {node.id!r} is banned", type(self)
            if isinstance(node, ast.Pass):
                yield node.lineno, node.col_offset, "H102 pass in " + self.filename, type(self)
            if isinstance(node, ast.Import):
                yield node.lineno, node.col_offset, "H103 an import", type(self)


def logical(logical_line, tokens, checker_state, previous_logical, indent_level, noqa):
    """A plugin for logical lines, with a state."""
    checker_state["lines"] = checker_state.get("lines", 0) + 1
    if logical_line.startswith("return") and previous_logical:
        yield 0, f"H200 line {checker_state['lines']} returns, {indent_level} deep, after {previous_logical!r}"
    for token in tokens:
        if token.string == "lambda":
            yield token.start, "H201 a lambda"
    if "import" in logical_line:
        yield 0, f"H202 the text xxx of {len(tokens)} tokens, noqa {noqa}"


def physical(physical_line, line_number, total_lines, max_line_length, indent_char):
    """A plugin for physical lines."""
    if physical_line.rstrip("\n").endswith(";"):
        return physical_line.index(";"), f"H300 row {line_number} of {total_lines} ends with a semicolon ({max_line_length}, {indent_char!r})"
    if physical_line.startswith("import"):
        return [(0, "H301 it begins with import"), (3, "H302 still")]


class Quiet:
    """A plugin that is off by default."""

    off_by_default = True

    def __init__(self, tree):
        pass

    def run(self):
        yield 1, 0, "H400 it is on", type(self)


class Parameters:
    """A plugin that asks for most of what there is."""

    off_by_default = True

    def __init__(self, tree, filename, lines, file_tokens, total_lines, max_line_length, max_doc_length, hang_closing, indent_size, verbose, noqa, options):
        self.text = (f"H500 {filename} {len(lines)} {len(file_tokens)} {total_lines} {max_line_length} {max_doc_length} {hang_closing} {indent_size} "
                     f"{verbose} {noqa} {options.max_complexity} {options.select} {sorted(options.extended_default_select)}")

    def run(self):
        yield 1, 0, self.text, type(self)


class Misbehaving:
    """A plugin that does what the first line of a file says."""

    off_by_default = True

    def __init__(self, tree, lines, filename):
        self.tree = tree
        self.filename = filename
        self.what = lines[0][2:].strip() if lines else ""

    def run(self):
        what = self.what
        if what == "loop":
            while True:
                pass
        elif what == "memory":
            held = []
            while True:
                held.append(bytearray(1 << 20))
        elif what == "exit":
            sys.exit(3)
        elif what == "interrupt":
            raise KeyboardInterrupt
        elif what == "fork":
            import os
            os.fork()
        elif what == "process":
            import subprocess
            subprocess.run(["true"])
        elif what == "wrong":
            yield "1", None, 5, None
        elif what == "empty":
            yield None
        elif what == "die":
            import os
            os._exit(4)
        elif what == "print":
            print("a plugin prints")
            print("and complains", file=sys.stderr)
        elif what == "raise":
            raise ValueError("nothing doing")
        elif what == "tree":
            self.tree.body.clear()
        elif what == "modules":
            del sys.modules["ast"]
            sys.modules["re"] = None
        elif what == "chdir":
            import os
            os.mkdir("elsewhere")
            os.chdir("elsewhere")
            sys.path[:] = []
        elif what == "patch":
            import builtins
            builtins.len = lambda thing: 1 / 0
            ast.walk = None
            sys.stdout = None
            sys.setrecursionlimit(60)
        elif what == "deep":
            def down(n):
                return down(n + 1)
            down(0)
        elif what == "nested":
            text = "-" * 5000 + "1"
            compile(text, "x", "eval")
        elif what == "forever":
            while True:
                yield 1, 0, "H904 again and again", type(self)
        elif what == "codes":
            for i in range(20000):
                yield 1, 0, f"H{i:05} one of many", type(self)
        elif what == "flood":
            for _ in range(3000):
                print("x" * 10000)
        elif what == "thread":
            import threading
            threading.Thread(target=lambda: [None for _ in iter(int, 1)]).start()
        elif what == "types":
            yield "1", None, "H905 a text for a row", type(self)
        elif what == "surrogate":
            yield 1, 0, "H906 \ud800\x00", type(self)
        elif what == "file":
            try:
                open("/etc/passwd").close()
            except OSError as error:
                yield 1, 0, f"H901 {type(error).__name__}", type(self)
            with open("left.txt", "w") as file:
                file.write("x")
        elif what == "access":
            import os
            yield 1, 0, f"H903 {os.access(self.filename, os.X_OK)} {os.access(self.filename, os.R_OK)}", type(self)
        elif what == "network":
            try:
                import socket
                socket.create_connection(("localhost", 1))
            except OSError as error:
                yield 1, 0, f"H902 {type(error).__name__}", type(self)
        yield 1, 0, f"H900 {what}", type(self)


class Report(BaseFormatter):
    """A format with a beginning and an end."""

    def start(self):
        super().start()
        self._write("BEGIN")
        self.count = 0

    def beginning(self, filename):
        self._write(f"{filename}:")

    def format(self, error):
        self.count += 1
        return f"  {error.code}@{error.line_number}.{error.column_number}: {error.text} in {error.physical_line!r}"

    def stop(self):
        self._write(f"END {self.count}")
        super().stop()
