"""What a program can ask and set of its resources where it is alone: limits that it sets are kept and not obeyed."""

import time
from collections import namedtuple

RLIM_INFINITY = -1
RUSAGE_SELF, RUSAGE_CHILDREN, RUSAGE_THREAD = 0, -1, 1
RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_DATA, RLIMIT_STACK, RLIMIT_CORE, RLIMIT_RSS, RLIMIT_NPROC, RLIMIT_NOFILE = range(8)
RLIMIT_MEMLOCK, RLIMIT_AS = 8, 9
RLIMIT_OFILE = RLIMIT_NOFILE
error = OSError

struct_rusage = namedtuple("struct_rusage", [
    "ru_utime", "ru_stime", "ru_maxrss", "ru_ixrss", "ru_idrss", "ru_isrss", "ru_minflt", "ru_majflt", "ru_nswap", "ru_inblock", "ru_oublock",
    "ru_msgsnd", "ru_msgrcv", "ru_nsignals", "ru_nvcsw", "ru_nivcsw",
])
_limits = {number: (RLIM_INFINITY, RLIM_INFINITY) for number in range(16)}
_limits[RLIMIT_STACK] = (8 << 20, RLIM_INFINITY)
_limits[RLIMIT_NOFILE] = (1000, 1000)


def getpagesize():
    return 4096


def getrlimit(resource, /):
    if resource not in _limits:
        raise ValueError("invalid resource specified")
    return _limits[resource]


def setrlimit(resource, limits, /):
    _, most = getrlimit(resource)
    soft, hard = limits
    if hard != RLIM_INFINITY and (soft == RLIM_INFINITY or soft > hard):
        raise ValueError("current limit exceeds maximum limit")
    if most != RLIM_INFINITY and (hard == RLIM_INFINITY or hard > most):
        raise ValueError("not allowed to raise maximum limit")
    _limits[resource] = (soft, hard)


def prlimit(pid, resource, limits=None, /):
    before = getrlimit(resource)
    if limits is not None:
        setrlimit(resource, limits)
    return before


def getrusage(who, /):
    used = time.process_time() if who != RUSAGE_CHILDREN else 0.0
    return struct_rusage(used, 0.0, 16384, *[0] * 13)
