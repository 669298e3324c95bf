"""What runs once, when the image is made: it takes over importing, and imports what programs use.

It runs in a namespace of its own that nobody refers to afterwards. The reactor takes two names from it: ProgramLoader and format_exception.
"""

import builtins
import gc
import marshal
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import SourceFileLoader

PREFIX = "/py/lib/python3.13/"
# What only a program with a machine can import: see equip.
MACHINE_ONLY = {
    "cProfile", "ftplib", "http", "imaplib", "mailbox", "poplib", "profile", "pstats", "resource", "smtplib", "socket", "socketserver",
    "urllib.request", "urllib.robotparser", "xmlrpc",
}


def bind(library):
    """Returns the finder of the modules in library, what makes the loader of a program, and what shows modules that need a machine, and sets the program's path."""
    size = int.from_bytes(library[:4], "little")
    index = marshal.loads(library[4:4 + size])
    base = 4 + size
    loads = marshal.loads
    hidden = {name: index.pop(name) for name in list(index) if name in MACHINE_ONLY or name.partition(".")[0] in MACHINE_ONLY}
    program = "/program.py"

    class LibraryLoader(SourceFileLoader):
        """The loader of a module of the library: its code lies in memory, its source nowhere."""

        def get_code(self, fullname):
            _, offset, size = index[fullname]
            return loads(library[base + offset:base + offset + size])

        def get_source(self, fullname):
            return None

        def get_resource_reader(self, fullname):
            return None

    class LibraryFinder:
        """The finder of the library."""

        @staticmethod
        def find_spec(fullname, path=None, target=None):
            found = index.get(fullname)
            if found is None:
                return None
            folder = PREFIX + fullname.replace(".", "/")
            origin = folder + "/__init__.py" if found[0] else folder + ".py"
            spec = ModuleSpec(fullname, LibraryLoader(fullname, origin), origin=origin, is_package=found[0])
            spec.has_location = True
            if found[0]:
                spec.submodule_search_locations = [folder]
            return spec

        @staticmethod
        def invalidate_caches():
            pass

    class ProgramLoader(SourceFileLoader):
        """The loader of __main__. Tracebacks and inspect ask it for the source; it is SourceFileLoader for whoever looks."""

        __slots__ = ()

        def __new__(cls, source):
            loader = super().__new__(cls)
            loader.name = "__main__"
            loader.path = program
            loader._source = source
            return loader

        def __init__(self, source):
            pass

        def get_data(self, path):
            if path == self.path:
                return self._source
            return super().get_data(path)

    for loader in LibraryLoader, ProgramLoader:
        loader.__module__ = SourceFileLoader.__module__
        loader.__name__ = loader.__qualname__ = SourceFileLoader.__name__
    def reveal(path):
        nonlocal program
        program = path
        index.update(hidden)
        hidden.clear()

    return LibraryFinder, ProgramLoader, reveal


finder, ProgramLoader, reveal = bind(library)  # noqa: F821
# The place of PathFinder, which has no paths to look in.
sys.meta_path[2:] = [finder]
sys.path[:] = []
sys.path_hooks[:] = []
sys.path_importer_cache.clear()

import abc, argparse, array, ast, base64, binascii, bisect, calendar, cmath, collections, collections.abc, contextlib, copy, copyreg, csv  # noqa
import dataclasses, datetime, decimal, difflib, dis, enum, fractions, functools, graphlib, hashlib, heapq, html, inspect, io, ipaddress  # noqa
import itertools, json, keyword, linecache, logging, math, numbers, operator, os, pathlib, pickle, pprint, queue, random, re  # noqa
import reprlib, secrets, shlex, statistics, string, struct, tempfile, textwrap, threading, time, timeit, token, tokenize, traceback  # noqa
import types, typing, unicodedata, unittest, urllib.parse, uuid, warnings, weakref, zlib, zoneinfo  # noqa
import encodings.latin_1, encodings.ascii, encodings.idna, encodings.cp1252, encodings.utf_16, encodings.utf_32, encodings.utf_8_sig  # noqa
from traceback import format_exception  # noqa


def import_asyncio():
    """Imports asyncio, which asks for socket, of which there is none."""
    from types import ModuleType

    class socket:
        def __init__(self, *args, **kwargs):
            raise OSError(52, "Function not implemented")

    stub = ModuleType("socket")
    for name in ("AF_INET", "AF_INET6", "SOCK_STREAM", "SOCK_DGRAM", "IPPROTO_TCP", "IPPROTO_IPV6", "SOL_SOCKET", "SO_REUSEADDR", "AI_PASSIVE", "SOMAXCONN", "AF_UNSPEC"):
        setattr(stub, name, 0)
    stub.socket = socket
    stub.error = stub.gaierror = stub.herror = OSError
    stub.timeout = TimeoutError
    sys.modules["socket"] = stub
    import asyncio  # noqa: F401
    del sys.modules["socket"]


import_asyncio()


def add_site_builtins():
    """Adds the built-ins that site would, which is not imported."""
    import _sitebuiltins
    builtins.quit = _sitebuiltins.Quitter("quit", "Ctrl-D (i.e. EOF)")
    builtins.exit = _sitebuiltins.Quitter("exit", "Ctrl-D (i.e. EOF)")
    builtins.copyright = _sitebuiltins._Printer("copyright", sys.copyright)
    builtins.credits = _sitebuiltins._Printer("credits", "See www.python.org for more information about Python development.")
    builtins.license = _sitebuiltins._Printer("license", "See https://www.python.org/psf/license/")
    builtins.help = _sitebuiltins._Helper()


add_site_builtins()


def make_equip(reveal, set_alarm, get_alarm, renumber_errors):
    """Returns what makes the interpreter that of an ordinary program, which has a machine: guest/machine.c."""
    import _thread
    import errno
    import hashlib
    import pathlib._abc
    import signal
    import threading
    from _frozen_importlib_external import FileFinder, PathFinder, SourceFileLoader

    def alarm(seconds, /):
        left, _ = set_alarm(seconds, 0)
        return round(left + 0.5) if left else 0

    def setitimer(which, seconds, interval=0.0, /):
        return set_alarm(seconds, interval)

    def getitimer(which, /):
        return get_alarm()

    def stack_size(size=0, /):
        nonlocal stack
        if size and size < 32768:
            raise ValueError(f"size not valid: {size} bytes")
        before, stack = stack, size
        return before

    def pbkdf2_hmac(hash_name, password, salt, iterations, dklen=None):
        import hmac
        inner = hmac.new(password, None, hash_name)
        size = inner.digest_size
        if iterations < 1:
            raise ValueError("iteration value must be greater than 0.")
        wanted = size if dklen is None else dklen
        if wanted < 1:
            raise ValueError("key length must be greater than 0.")
        key = b""
        for block in range(1, -(-wanted // size) + 1):
            mac = inner.copy()
            mac.update(bytes(salt) + block.to_bytes(4))
            last = mac.digest()
            total = int.from_bytes(last)
            for _ in range(iterations - 1):
                mac = inner.copy()
                mac.update(last)
                last = mac.digest()
                total ^= int.from_bytes(last)
            key += total.to_bytes(size)
        return key[:wanted]

    def chmod(path, mode, *, dir_fd=None, follow_symlinks=True):
        os.stat(path)

    def umask(mask, /):
        return 0o022

    def renumber():
        numbers = renumber_errors()
        names = {number: name for number, name in errno.errorcode.items() if number in numbers}
        texts = {numbers[number]: strerror(number) for number in names}
        for name, value in list(vars(errno).items()):
            if type(value) is int:
                setattr(errno, name, numbers.get(value, value))
        errno.errorcode.clear()
        errno.errorcode.update({numbers[number]: name for number, name in names.items()})
        for module, name in held:
            setattr(module, name, getattr(errno, name))
        pathlib._abc._IGNORED_ERRNOS = (errno.ENOENT, errno.ENOTDIR, errno.EBADF, errno.ELOOP)
        os.strerror = lambda code, /: texts.get(code) or ("Success" if code == 0 else f"Unknown error {code}")

    def equip(path, folder, arguments):
        reveal(path)
        renumber()
        sys.platform = "linux"
        os.uname = lambda: system
        sys.argv[:] = arguments
        sys.orig_argv[:] = ["python3", *arguments]
        sys.maxsize = 2**63 - 1
        os.environ.update(HOME=folder, PATH="/usr/bin:/bin", LANG="C.UTF-8")
        os.chdir(folder)
        os.chmod = os.lchmod = chmod
        os.umask = umask
        sys.path[:] = [folder]
        sys.path_hooks[:] = [FileFinder.path_hook((SourceFileLoader, [".py"]))]
        sys.meta_path.append(PathFinder)
        signal.alarm, signal.setitimer, signal.getitimer = alarm, setitimer, getitimer
        signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF = 0, 1, 2
        signal.ItimerError = OSError
        threading.stack_size = _thread.stack_size = stack_size
        hashlib.pbkdf2_hmac = pbkdf2_hmac

    stack = 0
    strerror = os.strerror
    system = os.uname_result(("Linux", "localhost", "6.1.0", "#1 SMP", "x86_64"))
    # Modules that took numbers out of errno when they were imported.
    held = [(module, name) for module in sys.modules.values() if module is not errno
            for name, value in list(vars(module).items()) if type(value) is int and vars(errno).get(name) == value and name[0] == "E"]
    return equip


equip = make_equip(reveal, set_alarm, get_alarm, renumber_errors)  # noqa: F821
gc.collect()
