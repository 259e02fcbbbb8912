"""Ports of this machine."""

import socket
import sys
from pathlib import Path

from bigmind.disk.open_files import remove
from bigmind.paths import port_file, write_private_file

HIGHEST = 65_535


def listen(port: int) -> socket.socket:
    """A listening socket on one port of this machine, 0 for any; raises OSError when it cannot be had."""
    # Named TCP, because only then does asyncio switch Nagle's algorithm off: it costs 40 ms in every answer.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform == "win32":
            # There, SO_REUSEADDR would let a stranger share the port.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener


def takes_connections(port: int, seconds: float) -> bool:
    """Whether something listens on a port of this machine; what does takes a connection within a millisecond.

    Where nothing does, Windows tries again and again for two seconds before it says so (libuv, uv__tcp_connect).
    """
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as tried:
        tried.settimeout(seconds)
        return tried.connect_ex(("127.0.0.1", port)) == 0


def why_not_free(port: int) -> str:
    """Why nothing could listen on a port now, in the system's words; empty when something could."""
    try:
        listen(port).close()
    except OSError as error:
        return error.strerror or str(error)
    return ""


def kept_port(home: Path) -> int:
    """The port that clients were connected to; 0 where there are none, or nothing sensible stands there."""
    place = port_file(home)
    try:
        said = place.read_text(encoding="ascii").strip() if place.is_file() else ""
    except (OSError, UnicodeDecodeError):
        return 0
    return int(said) if said.isdecimal() and len(said) <= len(str(HIGHEST)) and int(said) <= HIGHEST else 0


def keep_port(home: Path, port: int) -> None:
    """Have the next start take this port; 0 for any.

    Raises:
        BigMindError: `storage_full`, `store_unusable`.
    """
    if not port:
        remove(port_file(home))
    elif kept_port(home) != port:
        write_private_file(port_file(home), str(port))
