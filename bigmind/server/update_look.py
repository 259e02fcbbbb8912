"""Asks once a day whether there is a newer BigMind, where a person has said whom to ask; else nobody is ever asked.

What is asked says nothing of who asks: no version, no name, no cookie. Nothing is downloaded and nothing installed.
"""

import json
import logging
from collections.abc import Callable

from bigmind import VERSION
from bigmind.core.periodic import PeriodicThread
from bigmind.core.shapes import as_object
from bigmind.host import Host

log = logging.getLogger(__name__)

FIRST_SECONDS = 60.0
APART_SECONDS = 86_400.0
ENDING_SECONDS = 1.0
ANSWER_SECONDS = 10.0
MOST_BYTES = 1_000_000
NAMES = ("version", "tag_name")
"""Under which an answer has the number: our own list of releases, and those of hosts of code."""


class UpdateLook:
    """Looks, and keeps what it found in the host."""

    def __init__(self, host: Callable[[], Host], version: str = VERSION, first: float = FIRST_SECONDS) -> None:
        """Prepare it; nothing runs yet.

        Args:
            host: the process that runs.
            version: which BigMind it is.
            first: seconds from the start to the first look.
        """
        self._host = host
        self._version = version
        self._thread = PeriodicThread("updates", self.look, first=first, apart=APART_SECONDS)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End; an answer that is awaited is not waited for."""
        self._thread.stop(ENDING_SECONDS)

    def look(self) -> None:
        """Ask once, if somebody is to be asked."""
        host = self._host()
        address = host.settings.now().updates
        if not address:
            return
        try:
            newest = answer_of(address)
        except (OSError, ValueError) as error:
            log.info("whether there is a newer BigMind is not known: %s", error)
            return
        if host.newer.note(newest, self._version):
            log.info("BigMind %s is there; this is %s", host.newer.number, self._version)
            host.activity.tell()


def answer_of(address: str) -> str:
    """Which version an address names as the newest.

    Raises:
        OSError: it does not answer.
        ValueError: its answer names none, or comes from an address without encryption.
    """
    from urllib.parse import urlsplit  # noqa: PLC0415 - where somebody is to be asked only
    from urllib.request import Request, urlopen  # noqa: PLC0415 - where somebody is to be asked only

    request = Request(address, headers={"User-Agent": "BigMind", "Accept": "application/json"})  # noqa: S310 - checked
    with urlopen(request, timeout=ANSWER_SECONDS) as answer:  # noqa: S310
        if request.type == "https" != urlsplit(str(answer.url)).scheme:
            raise ValueError("it leads to an address without encryption, which anybody on the way may answer for")
        told = as_object(json.loads(answer.read(MOST_BYTES)))
    for name in NAMES:
        if isinstance(number := told.get(name), str):
            return number
    raise ValueError("its answer names no version")
