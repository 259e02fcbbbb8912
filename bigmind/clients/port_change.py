"""Whether BigMind listens on another port than connected clients call: what stands in their files is what they do.

Asked for with every page: files are read again only when they have changed, and nothing is loaded where no client is
connected.
"""

import json
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from sqlalchemy import bindparam
from sqlalchemy import select as columns
from sqlalchemy.exc import DBAPIError
from sqlmodel import select

from bigmind.clients.tables import ClientPart
from bigmind.core.errors import BigMindError
from bigmind.local.ports import HIGHEST, keep_port, kept_port
from bigmind.store.driver_statements import all_rows
from bigmind.store.tables import table_of
from bigmind.store.work import Work

REPAIR = "`bigmind clients repair`, or “Repair all” on the page Assistants, gives each the new port and a new token."

log = logging.getLogger(__name__)

_PART = table_of(ClientPart).c
_ENTRIES = (
    columns(_PART.target, _PART.workspace, _PART.path, _PART.place)
    .where(_PART.user_id == bindparam("user"), _PART.kind == "entry", _PART.token_id.is_not(None))
    .order_by(_PART.id)
)
_PORT = re.compile(r"http://(?:127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})/mcp", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StaleClient:
    """A connected client that sends its token to a port: its title, and the port that stands in its files."""

    title: str
    port: int


@dataclass(frozen=True, slots=True)
class PortChange:
    """BigMind listens on `port`; `still` are the clients that call another one."""

    port: int
    still: Sequence[StaleClient]

    @property
    def in_words(self) -> str:
        """What happened, and who is concerned."""
        number = len(self.still)
        who = "One assistant still uses" if number == 1 else f"{number} assistants still use"
        return f"BigMind moved to port {self.port}. {who} {_listed([str(each) for each in self._ports()])}."

    @property
    def consequence(self) -> str:
        """Who sends a token to the old port, and who goes on."""
        titles = _listed(sorted({each.title for each in self.still}))
        sends = "sends its token" if len(self.still) == 1 else "send their tokens"
        return f"{titles} {sends} to whatever listens there. Clients that run `bigmind mcp`, and hooks, go on."

    def _ports(self) -> list[int]:
        return sorted({each.port for each in self.still})


def moved(work: Work) -> PortChange | None:
    """Whether connected clients of the caller call another port than this server's; None where all is well."""
    here = urlsplit(work.host.endpoint_url).port
    still = [(target, port) for target, port in ports_called(work) if port != here] if here else []
    return PortChange(here, [StaleClient(_title(target), port) for target, port in still]) if here and still else None


def ports_called(work: Work) -> list[tuple[str, int]]:
    """Where each connected client of the caller sends its token: its name and the port, once for each port."""
    try:
        entries = all_rows(work.session, _ENTRIES, {"user": work.caller.user_id})
    except (DBAPIError, *work.backend.faults.errors) as error:
        # A damaged table: that is told by itself, and stops no start and no page.
        log.warning("which ports clients call cannot be read: %s", error)
        return []
    found = ((target, _port(workspace, Path(path), place)) for target, workspace, path, place in entries)
    return [*dict.fromkeys((target, port) for target, port in found if port)]


def keep_port_called(work: Work, *, prefer_this: bool = False) -> None:
    """Have the next start take the port that clients call, once one is connected: the kept one, while any calls that.

    A change of clients that cannot note it is not undone for that.

    Args:
        work: of the person whose clients they are.
        prefer_this: this server's port is the one to keep, where any calls it: the others were to follow it.
    """
    home, here = work.host.settings.home, urlsplit(work.host.endpoint_url).port or 0
    work.session.flush()  # what was just written of a client is read past the mapper
    called, kept = {port for _, port in ports_called(work)}, kept_port(home)
    if called:
        wanted = [*([here] if prefer_this else ()), kept, here, *sorted(called)]
        port = next(each for each in wanted if each in called)
    else:  # those that find the server wherever it is, or none
        port = (kept or here) if _has_clients(work) else 0
    try:
        keep_port(home, port)
    except (BigMindError, OSError) as error:
        log.warning("the next start may take another port: %s", error)


def _has_clients(work: Work) -> bool:
    mine = select(ClientPart.id).where(ClientPart.user_id == work.caller.user_id)
    return work.session.exec(mine.limit(1)).first() is not None


def _title(target: str) -> str:
    from bigmind.clients.targets import TARGETS  # noqa: PLC0415 - the modules of all clients: where one is named only

    return next((each.title for each in TARGETS if each.name == target), target)


def _port(workspace: str, path: Path, place: str) -> int:
    """The port in an entry of a client's file; 0 where there is none, or the file cannot be read."""
    try:
        state = path.stat()
    except OSError:
        return 0
    return _read_port(workspace, path, place, (state.st_mtime_ns, state.st_size))


@lru_cache(maxsize=64)
def _read_port(workspace: str, path: Path, place: str, state: tuple[int, int]) -> int:
    del state  # another one is another file
    from bigmind.clients.editing.editors import editor  # noqa: PLC0415 - where a client is connected
    from bigmind.clients.editing.file_text import NotParsedError, decoded  # noqa: PLC0415
    from bigmind.clients.files.locations import places_here  # noqa: PLC0415
    from bigmind.clients.files.writer import Root, read_file  # noqa: PLC0415
    from bigmind.clients.parts import Format  # noqa: PLC0415

    root = Root(Path(workspace) if workspace else places_here().home, is_home=not workspace)
    try:
        about = json.loads(place)
        text = decoded(read_file(root, path) or b"")
        value = editor(Format(about["format"])).value(text, tuple(about["steps"]))
    except (BigMindError, NotParsedError):  # the page Assistants says so
        return 0
    said = _PORT.search(json.dumps(value, default=str))
    return int(said[1]) if said and int(said[1]) <= HIGHEST else 0


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
