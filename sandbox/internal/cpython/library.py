"""library.py LIB OURS OUT: compiles CPython's library for the image.

OUT begins with the modules that CPython needs to start: their number, and for each the length of its name, its name with a NUL, whether it is a
package, the length of its code and its code. Then come, each after its length, the code of boot.py and an index: a dict of module names to (is a
package, offset, length). The rest is the code of the modules, which offsets count in. Code and index are marshalled, numbers are u32, little endian.

OURS holds boot.py and files that take the place of CPython's own.
"""

import marshal
import os
import struct
import sys

# What cannot work without files, processes, sockets, threads or a terminal, or is no library for programs.
LEFT_OUT = {
    "__phello__", "_aix_support", "_android_support", "_apple_support", "_ios_support", "_osx_support", "_pyrepl", "_pydatetime", "antigravity",
    "asyncio.proactor_events", "asyncio.selector_events", "asyncio.windows_events", "asyncio.windows_utils", "ctypes", "curses",
    "dbm", "ensurepip", "idlelib", "multiprocessing",
    "pydoc", "pydoc_data", "site-packages", "sqlite3", "ssl", "test", "tkinter", "turtle", "turtledemo",
    "unittest.__main__", "venv", "webbrowser", "wsgiref",
}
NEEDED = ["encodings", "encodings.aliases", "encodings.utf_8", "encodings.latin_1"]
PREFIX = "/py/lib/python3.13/"


def modules(folder):
    """Yields name, whether it is a package, and path of the modules in a folder."""
    for root, folders, files in os.walk(folder):
        folders.sort()
        for file in sorted(files):
            if not file.endswith(".py"):
                continue
            path = os.path.join(root, file)
            name = os.path.relpath(path, folder)[:-3].replace(os.sep, ".")
            package = name.endswith(".__init__")
            name = name.removesuffix(".__init__")
            parts = name.split(".")
            if not any(".".join(parts[:i + 1]) in LEFT_OUT for i in range(len(parts))):
                yield name, package, path


def compiled(path, name):
    with open(path, "rb") as file:
        return marshal.dumps(compile(file.read(), name, "exec", dont_inherit=True, optimize=0))


def main(lib, ours, out):
    found = {name: (package, path) for name, package, path in modules(lib)}
    found |= {name: (package, path) for name, package, path in modules(ours)}
    boot = compiled(found.pop("boot")[1], "<boot>")
    index, data, first = {}, bytearray(), bytearray(struct.pack("<I", len(NEEDED)))
    for name, (package, path) in sorted(found.items()):
        code = compiled(path, PREFIX + name.replace(".", "/") + ("/__init__.py" if package else ".py"))
        index[name] = (package, len(data), len(code))
        data += code
        if name in NEEDED:
            first += struct.pack("<I", len(name)) + name.encode() + struct.pack("<xII", package, len(code)) + code
    index = marshal.dumps(index)
    with open(out, "wb") as file:
        file.write(first + struct.pack("<I", len(boot)) + boot + struct.pack("<I", len(index)) + index + data)
    print(len(found), "modules,", os.path.getsize(out), "bytes")


main(*sys.argv[1:])
