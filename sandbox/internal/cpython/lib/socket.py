"""The names of socket where there is no network: a socket cannot be made, and no host is known."""

import os
from enum import IntEnum, IntFlag

__all__ = [
    "AF_INET", "AF_INET6", "AF_UNIX", "AF_UNSPEC", "SOCK_STREAM", "SOCK_DGRAM", "SOCK_RAW", "SOL_SOCKET", "SO_REUSEADDR", "SO_REUSEPORT", "SO_KEEPALIVE",
    "SO_BROADCAST", "SO_RCVBUF", "SO_SNDBUF", "SOMAXCONN", "IPPROTO_TCP", "IPPROTO_UDP", "IPPROTO_IP", "IPPROTO_IPV6", "IPV6_V6ONLY", "TCP_NODELAY",
    "SHUT_RD", "SHUT_WR", "SHUT_RDWR", "AI_PASSIVE", "INADDR_ANY", "AddressFamily", "SocketKind", "error", "gaierror", "herror", "timeout", "socket",
    "create_connection", "create_server", "getaddrinfo", "getdefaulttimeout", "getfqdn", "gethostbyaddr", "gethostbyname", "gethostname", "has_ipv6",
    "htonl", "htons", "inet_aton", "inet_ntoa", "inet_ntop", "inet_pton", "ntohl", "ntohs", "setdefaulttimeout", "socketpair",
]
AddressFamily = IntEnum("AddressFamily", {"AF_UNSPEC": 0, "AF_UNIX": 1, "AF_INET": 2, "AF_INET6": 10})
SocketKind = IntEnum("SocketKind", {"SOCK_STREAM": 1, "SOCK_DGRAM": 2, "SOCK_RAW": 3})
MsgFlag = IntFlag("MsgFlag", {"MSG_OOB": 1, "MSG_PEEK": 2})
globals().update(AddressFamily.__members__)
globals().update(SocketKind.__members__)
globals().update(MsgFlag.__members__)
SOL_SOCKET, SO_REUSEADDR, SO_BROADCAST, SO_SNDBUF, SO_RCVBUF, SO_KEEPALIVE, SO_REUSEPORT = 1, 2, 6, 7, 8, 9, 15
SOMAXCONN, IPPROTO_IP, IPPROTO_TCP, IPPROTO_UDP, IPPROTO_IPV6, IPV6_V6ONLY, TCP_NODELAY = 4096, 0, 6, 17, 41, 26, 1
SHUT_RD, SHUT_WR, SHUT_RDWR, AI_PASSIVE, INADDR_ANY = 0, 1, 2, 1, 0
EAI_NONAME, EAI_AGAIN = -2, -3
has_ipv6 = False
error = OSError
timeout = TimeoutError
_GLOBAL_DEFAULT_TIMEOUT = object()


class herror(OSError):
    pass


class gaierror(OSError):
    pass


class socket:
    """A socket that cannot be made."""

    def __init__(self, family=-1, type=-1, proto=-1, fileno=None):
        raise PermissionError(1, "Operation not permitted")


SocketType = socket


def socketpair(*args, **kwargs):
    return socket()


def create_connection(address, *args, **kwargs):
    return getaddrinfo(*address[:2])


def create_server(address, **kwargs):
    return socket()


def getaddrinfo(host, port, *args, **kwargs):
    raise gaierror(EAI_AGAIN, "Temporary failure in name resolution")


def gethostbyname(host):
    return getaddrinfo(host, None)


gethostbyaddr = gethostbyname_ex = gethostbyname


def gethostname():
    return "localhost"


def getfqdn(name=""):
    return name or gethostname()


_default = None


def getdefaulttimeout():
    return _default


def setdefaulttimeout(value):
    global _default
    _default = value


def htons(number):
    return int.from_bytes(number.to_bytes(2, "little"), "big")


def htonl(number):
    return int.from_bytes(number.to_bytes(4, "little"), "big")


ntohs, ntohl = htons, htonl


def inet_aton(text):
    import ipaddress
    try:
        return ipaddress.IPv4Address(text).packed
    except ValueError:
        raise OSError("illegal IP address string passed to inet_aton") from None


def inet_ntoa(packed):
    if len(packed) != 4:
        raise OSError("packed IP wrong length")
    return ".".join(map(str, packed))


def inet_pton(family, text):
    import ipaddress
    try:
        return (ipaddress.IPv4Address if family == AddressFamily.AF_INET else ipaddress.IPv6Address)(text).packed
    except ValueError:
        raise OSError("illegal IP address string passed to inet_pton") from None


def inet_ntop(family, packed):
    import ipaddress
    return str((ipaddress.IPv4Address if family == AddressFamily.AF_INET else ipaddress.IPv6Address)(bytes(packed)))


def close(descriptor):
    os.close(descriptor)
