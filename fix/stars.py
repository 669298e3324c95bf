#!/usr/bin/env python3
"""stars.py PYTHON...: writes stars.txt, the names that "from module import *" binds, for modules of Python's library.

Each PYTHON is a CPython of another release. A name that some of them lack, or that other systems may lack, has a ? behind it.
"""
import json
import pathlib
import subprocess
import sys

# Modules that programs import with a star, and whose import has no other effect than to bind names.
MODULES = """
abc argparse array ast base64 binascii bisect calendar cmath cmd code codecs collections collections.abc colorsys concurrent.futures configparser
contextlib copy csv ctypes dataclasses datetime decimal difflib enum fnmatch fractions functools getopt getpass glob graphlib hashlib heapq hmac html
inspect io ipaddress itertools json keyword locale logging math multiprocessing numbers operator os os.path pathlib pickle platform pprint queue random re
reprlib secrets shelve shlex shutil signal socket sqlite3 stat statistics string struct subprocess sys tempfile textwrap threading time timeit tkinter
tkinter.constants tkinter.filedialog tkinter.messagebox tkinter.ttk token tokenize traceback turtle types typing unicodedata unittest unittest.mock
urllib.parse urllib.request uuid warnings weakref xml.etree.ElementTree zipfile zlib
""".split()

# Of modules that depend on the system, the names that all systems have.
EVERYWHERE = {
    "os": "chdir environ getcwd getenv getpid kill linesep listdir makedirs mkdir name open path pathsep popen remove removedirs rename rmdir sep stat system unlink "
          "walk",
    "sys": "argv byteorder exc_info executable exit float_info getrecursionlimit getsizeof hash_info int_info maxsize maxunicode modules path platform "
           "setrecursionlimit stderr stdin stdout version version_info",
    "time": "asctime ctime gmtime localtime mktime monotonic perf_counter process_time sleep strftime strptime time",
    "signal": "SIGABRT SIGFPE SIGILL SIGINT SIGSEGV SIGTERM SIG_DFL SIG_IGN signal",
    "socket": "AF_INET AF_INET6 IPPROTO_TCP IPPROTO_UDP SHUT_RD SHUT_RDWR SHUT_WR SOCK_DGRAM SOCK_STREAM SOL_SOCKET SO_BROADCAST SO_KEEPALIVE SO_REUSEADDR "
              "TCP_NODELAY create_connection error gaierror getaddrinfo gethostbyname gethostname getfqdn herror htonl htons inet_aton inet_ntoa ntohl ntohs "
              "setdefaulttimeout socket timeout",
    "ctypes": "ARRAY Array BigEndianStructure CDLL CFUNCTYPE LittleEndianStructure POINTER PYFUNCTYPE Structure Union addressof alignment byref c_bool c_byte "
              "c_char c_char_p c_double c_float c_int c_int16 c_int32 c_int64 c_int8 c_long c_longlong c_short c_size_t c_ubyte c_uint c_uint16 c_uint32 "
              "c_uint64 c_uint8 c_ulong c_ulonglong c_ushort c_void_p c_wchar c_wchar_p cast cdll create_string_buffer create_unicode_buffer memmove memset "
              "pointer py_object resize sizeof string_at wstring_at",
    "locale": "getlocale setlocale",
    "multiprocessing": "Array Lock Manager Pipe Pool Process Queue Value cpu_count current_process freeze_support",
    "subprocess": "CalledProcessError DEVNULL PIPE Popen STDOUT TimeoutExpired call check_call check_output run",
}

# What prints the names of modules, with those of all modules that Python cannot import left out.
SCRIPT = """
import importlib, json, sys, warnings
warnings.simplefilter("ignore")
table = {}
for module in sys.argv[1:]:
    try:
        loaded = importlib.import_module(module)
    except ImportError:
        continue
    names = getattr(loaded, "__all__", None)
    if names is None:
        names = [n for n in vars(loaded) if not n.startswith("_")]
    table[module] = sorted(set(names))
print(json.dumps(table))
"""


def main(pythons):
    tables = [json.loads(subprocess.run([p, "-c", SCRIPT, *MODULES], check=True, stdout=subprocess.PIPE).stdout) for p in pythons]
    lines = ["# Names that an import * of a module of Python's library binds. Those with a ? are not in all releases and systems. Written by stars.py."]
    for module in MODULES:
        sets = [set(t[module]) for t in tables if module in t]
        if len(sets) < 2:
            print(module, "is in", len(sets), "of them", file=sys.stderr)
        if not sets:
            continue
        firm = set.intersection(*sets)
        if module in EVERYWHERE:
            firm &= set(EVERYWHERE[module].split())
        lines.append(module + ": " + " ".join(n + "?" * (n not in firm) for n in sorted(set.union(*sets))))
    (pathlib.Path(__file__).parent / "stars.txt").write_text("\n".join(lines) + "\n")


main(sys.argv[1:])
