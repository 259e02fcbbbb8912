"""What a newcomer needs to see in the terminal: the page, the endpoint, and how to connect to it."""

from pathlib import Path
from typing import TYPE_CHECKING

from bigmind import VERSION
from bigmind.local.command_line import typed_argument, typed_command

if TYPE_CHECKING:
    from bigmind.core.operation import Caller
    from bigmind.store.store import Store


def greeting(address: str, link: str = "") -> str:
    """The lines about a server at `address`; without a sign-in `link` they say how to get one."""
    command = typed_command()
    pages = (
        f"{link}   (works once, within 10 minutes; `{command} open` makes another)"
        if link
        else f"{address}/profile   (`{command} open` shows them)"
    )
    return (
        f"BigMind {VERSION} is ready.\n"
        f"  Pages:    {pages}\n"
        f"  Connect:  {command} clients list   (your assistants; the page Assistants connects them by a click)\n"
        f"  Endpoint: {address}/mcp   (for clients that speak HTTP; `{command} token create my-ide` makes a token)\n"
        f"  stdio:    {command} mcp   (for clients without HTTP; needs no token)"
    )


def notices(store: "Store", username: str) -> list[str]:
    """What the person at the terminal should know: an older memory, one that is missing or another's, a port."""
    from bigmind.people.service import person  # noqa: PLC0415 - behind the start

    told = _older_memory(store), _missing_memory(store), _other_user(store, person(store, username))
    return [each for each in (*told, _moved_port(store, person(store, username))) if each]


def _older_memory(store: "Store") -> str:
    """On the first start: that the older BigMind's memory was found, and how to take it over; else nothing."""
    from bigmind.portable.older.location import old_file  # noqa: PLC0415 - behind the start

    found = old_file(Path.home())
    if found is None or not _is_new(store):
        return ""
    command = f"{typed_command()} memory import {typed_argument(str(found))}"
    return f"  Older:    {command}   (takes over the memory of the older BigMind, which was found)"


def _is_new(store: "Store") -> bool:
    """Whether nobody has remembered anything yet."""
    from sqlmodel import select  # noqa: PLC0415 - behind the start

    from bigmind.memory.tables import MemorySession  # noqa: PLC0415 - behind the start
    from bigmind.people.service import NOBODY  # noqa: PLC0415 - behind the start

    with store.read(NOBODY, "is_new") as work:
        return work.session.exec(select(MemorySession.id).limit(1)).first() is None


def _missing_memory(store: "Store") -> str:
    """That the memory is missing beside its backups or damaged, and how it comes back; else nothing."""
    keeping = store.safekeeping
    if damage := keeping.condition.in_words:
        return f"  DAMAGED:  {damage}\n            {store.host.restorable_in_words()}"
    loss = keeping.loss
    return f"  MISSING:  {loss.in_words}\n            {loss.remedy}" if loss else ""


def _other_user(store: "Store", person: "Caller") -> str:
    """That the memory is another user's; else nothing."""
    from bigmind.people.other_account import memory_of_another  # noqa: PLC0415 - behind the start

    with store.read(person, "other_user") as work:
        told = memory_of_another(work)
    return f"  USER:     {told}" if told else ""


def _moved_port(store: "Store", person: "Caller") -> str:
    """That connected clients of the person call a port that BigMind left; else nothing."""
    from bigmind.clients.port_change import REPAIR, moved  # noqa: PLC0415 - behind the start

    with store.read(person, "moved") as work:
        away = moved(work)
    return f"  MOVED:    {away.in_words} {away.consequence}\n            {REPAIR}" if away else ""
