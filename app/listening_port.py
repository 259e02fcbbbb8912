"""The port that the server listens on."""

import socket

from bigmind.core.errors import BigMindError, Code
from bigmind.local.moved_folder import refuse_folder_moved_just_now
from bigmind.local.ports import kept_port, listen
from bigmind.paths import store_file
from bigmind.settings.rows import Settings

PORTS_TRIED = 100


def bind(settings: Settings) -> socket.socket:
    """A listening socket on the wanted port; where the person chose none, on that which clients call, or a free one.

    Raises:
        BigMindError: `unavailable`, when the chosen port is taken, or a server has it whose data folder was moved.
    """
    wanted, is_fixed = settings.port
    if is_fixed or wanted == 0:
        try:
            return listen(wanted)
        except OSError as error:
            raise BigMindError(
                Code.UNAVAILABLE,
                f"Port {wanted} is taken ({error.strerror}).",
                f"Change {settings.set_by(Settings.port)}, or leave it out and BigMind takes the next free one.",
            ) from error
    kept = kept_port(settings.home)
    for tried, port in enumerate((*([kept] if kept else ()), *range(wanted, wanted + PORTS_TRIED), 0)):
        try:
            return listen(port)
        except OSError:
            if tried == 0 and settings.store is None and not store_file(settings.home).exists():
                refuse_folder_moved_just_now(settings.home)
    raise BigMindError(Code.UNAVAILABLE, "No port is free.", "Close something that listens, or restart the machine.")
