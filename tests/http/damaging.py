"""Pages of a database file are spoilt as disks, and what runs beside us, spoil them; the copies are everybody's own."""

import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bigmind.people.token_format import TokenKind
from tests.http.good import Owned, ask, make_all, own_things
from tests.http.inside import Inside, server_inside
from tests.memory.forgettable import fill

PAGE = 4_096
THINGS = 16

Spoil = Callable[[random.Random, bytearray, int], None]


def _noise(draw: random.Random, data: bytearray, at: int) -> None:
    data[at : at + PAGE] = draw.randbytes(PAGE)


def _zeros(_draw: random.Random, data: bytearray, at: int) -> None:
    data[at : at + PAGE] = bytes(PAGE)


def _another_page(draw: random.Random, data: bytearray, at: int) -> None:
    other = draw.randrange(1, len(data) // PAGE) * PAGE
    data[at : at + PAGE] = data[other : other + PAGE]


def _torn(draw: random.Random, data: bytearray, at: int) -> None:
    """Half of it, as after a power cut."""
    sector = draw.choice((512, 1_024, 2_048))
    data[at + PAGE - sector : at + PAGE] = draw.randbytes(sector)


def _is_empty(data: bytearray, at: int) -> bool:
    """Whether a page is one of a table or an index, and holds nothing (SQLite's file format, 1.6)."""
    return data[at] in {2, 5, 10, 13} and data[at + 3 : at + 5] == b"\0\0"


def _is_hurt(before: bytes, data: bytearray, at: int) -> bool:
    """Whether anything of a page changed that is in use: between its list of cells and the first cell nothing is."""
    own, now = before[at : at + PAGE], bytes(data[at : at + PAGE])
    if own[0] not in {2, 5, 10, 13}:
        return own != now
    listed = (12 if own[0] in {2, 5} else 8) + 2 * int.from_bytes(own[3:5], "big")
    first = int.from_bytes(own[5:7], "big") or 65_536
    return own[:listed] != now[:listed] or own[first:] != now[first:]


def _flipped(draw: random.Random, data: bytearray, at: int) -> None:
    for _ in range(24):
        data[at + draw.randrange(PAGE)] ^= draw.randrange(1, 256)


SPOILT: tuple[Spoil, ...] = (_noise, _zeros, _another_page, _torn, _flipped)


@dataclass(frozen=True)
class Kept:
    """A whole memory that stands still, with a verified backup, and the secrets that open it."""

    home: Path
    ids: Owned
    secret: str
    cookie: str
    facts: frozenset[str]

    def damaged(self, home: Path, seed: int) -> str:
        """A copy of it in which one page, any but the first, is spoilt; says how."""
        draw = random.Random(seed)
        shutil.copytree(self.home, home)
        file = home / "bigmind.db"
        data = bytearray(file.read_bytes())
        spoil, page = SPOILT[seed % len(SPOILT)], draw.randrange(1, len(data) // PAGE)
        while _is_empty(data, page * PAGE):  # of a table without rows: whatever its bytes are, nothing of it is read
            page = draw.randrange(1, len(data) // PAGE)
        before = bytes(data)
        while not _is_hurt(before, data, page * PAGE):
            spoil(draw, data, page * PAGE)
        file.write_bytes(data)
        return f"seed {seed}: {spoil.__name__} of page {page + 1}"


def keep(home: Path) -> Kept:
    """Make it."""
    with server_inside(home) as inside:
        ids = own_things(inside, "ada")
        make_all(ids)
        secret, cookie = inside.token(), inside.token(kind=TokenKind.UI)
        caller = inside.caller(secret)
        fill(lambda name, **given: ask(inside, caller, name, **given), THINGS)
        ask(inside, caller, "backup_create")
        return Kept(home, ids, secret, cookie, facts_of(inside, secret) or frozenset())


def facts_of(inside: Inside, secret: str) -> frozenset[str] | None:
    """Every fact; None where they cannot be read, which is said."""
    with inside.http(secret) as http:
        answered = http.post("/api/v1/memory_list_facts", json={"limit": 100})
    if answered.status_code != 200:
        assert answered.status_code == 503, answered.text
        return None
    return frozenset(row["fact"] for row in answered.json()["facts"])
