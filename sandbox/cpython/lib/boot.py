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


def bind(library):
    """Returns the finder of the modules in library, and what makes the loader of a program."""
    size = int.from_bytes(library[:4], "little")
    index = marshal.loads(library[4:4 + size])
    base = 4 + size
    loads = marshal.loads

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
            loader.path = "/program.py"
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
    return LibraryFinder, ProgramLoader


finder, ProgramLoader = bind(library)  # noqa: F821
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
gc.collect()
