"""Spoils an export in the ways that files are spoilt: cut, mistyped, renamed, or made up by somebody who means harm."""

import gzip
import io
import json
import random
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Any

Document = dict[str, Any]
Damage = tuple[str, bytes]

WRONG: tuple[Any, ...] = (7, -1, 1.5, True, [], {}, ["x"], {"a": 1}, [[]], 10**30, -(10**19))
DEPTH = 100_000


def damages(export: bytes, count: int, seed: int = 1) -> Iterator[Damage]:
    """So many spoilt copies, each with what was done to it; the same for the same seed."""
    yield from _renamed(export)
    yield from _whole(export)
    draw = random.Random(seed)
    ways = (_cut, _mistyped, _left_out, _surplus, _doubled, _dangling, _of_bytes, _no_json)
    done = 0
    while done < count:
        damage = ways[done % len(ways)](export, draw)
        if damage is not None:
            done += 1
            yield damage


def _renamed(export: bytes) -> Iterator[Damage]:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("export.json", b" " * 50_000_000)
    yield "a zip bomb", packed.getvalue()
    yield "gzip", gzip.compress(export)
    yield "a bomb of zlib", zlib.compress(b"[" * 10_000_000)
    yield "a picture", b"\x89PNG\r\n\x1a\n" + export
    yield "a database", b"SQLite format 3\x00" + bytes(4_000)
    yield "UTF-16", export.decode().encode("utf-16")
    yield "UTF-16 without a mark", export.decode().encode("utf-16-be")
    yield "UTF-32", export.decode().encode("utf-32")
    yield "two byte order marks", 2 * b"\xef\xbb\xbf" + export
    yield "Latin-1", export.decode().encode("latin-1", "xmlcharrefreplace").replace(b'"format"', b'"form\xe4t"')
    yield "nothing", b""
    yield "blanks", b" \n\t " * 1_000


def _whole(export: bytes) -> Iterator[Damage]:
    document = json.loads(export)
    header = document["header"]
    yield "brackets without end", b"[" * DEPTH
    yield "brackets in a record", export.replace(b'"pinned_facts":[', b'"pinned_facts":[' + b"[" * DEPTH, 1)
    yield "objects without end", b'{"a":' * DEPTH
    yield "brackets in pairs", b'{"header":' + b"[" * DEPTH + b"]" * DEPTH + b"}"
    yield "no header", _bytes({name: each for name, each in document.items() if name != "header"})
    for name, wrong in (("version", 6), ("version", 0), ("version", "1"), ("version", True), ("version", 10**12)):
        yield f"{name} {wrong!r}", _bytes(document | {"header": header | {name: wrong}})
    yield "another format", _bytes(document | {"header": header | {"format": "bigmind"}})
    yield "a header of a list", _bytes(document | {"header": [header]})
    yield "an unknown part", _bytes(document | {"dreams": []})
    yield "a list of exports", _bytes([document])
    yield "a section of an object", _bytes(document | {"facts": {}})
    yield "a section of nothing", _bytes(document | {"facts": None})
    yield "a key twice", export.replace(b'"seq":', b'"seq":1,"seq":', 1)
    yield "a part twice", export.rstrip()[:-1] + b',"facts":[]}'
    yield "more behind the end", export + b"{}"
    yield "a number without end", export.replace(b'"seq":1', b'"seq":' + b"1" * 100_000, 1)
    yield "a text without end", b'{"header":"' + b"x" * 20_000_000 + b'"}'
    yield (
        "a record without end",
        b'{"header":' + json.dumps(header).encode() + b',"facts":[[' + b"0," * 600_000 + b"0]]}",
    )


def _cut(export: bytes, draw: random.Random) -> Damage:
    where = draw.randrange(1, len(export.rstrip()))
    return f"cut at {where}", export[:where]


def _any_record(document: Document, draw: random.Random) -> tuple[str, int, Document]:
    section = draw.choice([name for name, records in document.items() if name != "header" and records])
    number = draw.randrange(len(document[section]))
    return section, number + 1, document[section][number]


def _changed(export: bytes, draw: random.Random, change: Callable[[str, Document], str | None]) -> Damage | None:
    document = json.loads(export)
    section, number, record = _any_record(document, draw)
    what = change(section, record)
    return None if what is None else (f"{section}[{number}].{what}", _bytes(document))


def _mistyped(export: bytes, draw: random.Random) -> Damage | None:
    def change(_: str, record: Document) -> str | None:
        name = draw.choice(list(record))
        was, record[name] = record[name], draw.choice(WRONG)
        number = isinstance(was, int | float) and isinstance(record[name], int | float)
        same = number or (isinstance(was, list) and isinstance(record[name], list) and record[name] != [[]])
        return None if same or record[name] == was else f"{name} = {record[name]!r}"

    return _changed(export, draw, change)


def _left_out(export: bytes, draw: random.Random) -> Damage | None:
    def change(_: str, record: Document) -> str | None:
        name = draw.choice([each for each in record if each not in {"accepted_at", "placement"}])
        del record[name]
        return f"{name} is missing"

    return _changed(export, draw, change)


def _surplus(export: bytes, draw: random.Random) -> Damage | None:
    def change(_: str, record: Document) -> str | None:
        name = draw.choice(["ID", "user_id", "__class__", "terms", "\u202e", "", "x" * 500])
        record[name] = 1
        return f"{name[:20]!r} is unknown"

    return _changed(export, draw, change)


def _doubled(export: bytes, draw: random.Random) -> Damage | None:
    document = json.loads(export)
    section, number, record = _any_record(document, draw)
    place = draw.randrange(len(document[section]) + 1)
    document[section].insert(place, dict(record))
    return f"{section}[{number}] twice", _bytes(document)


def _dangling(export: bytes, draw: random.Random) -> Damage | None:
    def change(section: str, record: Document) -> str | None:
        nobody = f"00000000-0000-4000-8000-{draw.getrandbits(48):012x}"
        if draw.random() < 0.3:
            record["user"] = nobody
            return "user is nobody"
        if not record.get("session"):
            return None
        record["session"] = draw.choice([nobody, nobody, "../../etc/passwd", nobody.upper()[:-1] + "Z"])
        return f"session is {record['session'][:12]}, of {section}"

    return _changed(export, draw, change)


def _of_bytes(export: bytes, draw: random.Random) -> Damage | None:
    """Bytes that JSON in UTF-8 cannot hold, anywhere."""
    bad = draw.choice([b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\x00", b"\x01", b"\x1f"])
    where = draw.randrange(1, len(export) - 1)
    return f"{bad!r} at {where}", export[:where] + bad + export[where:]


def _no_json(export: bytes, draw: random.Random) -> Damage | None:
    """What other languages take for a number, a text or a list."""
    field = draw.choice([b'"importance":', b'"confidence":', b'"seq":'])
    bad = draw.choice(
        [b"NaN", b"Infinity", b"-Infinity", b"1e999", b"0x10", b"01", b"+1", b".5", b"1,", b"nil", b"'1'"]
    )
    places = [at for at in range(len(export)) if export.startswith(field, at)]
    at = draw.choice(places) + len(field)
    end = min(place for place in (export.find(b",", at), export.find(b"}", at)) if place > 0)
    return f"{field.decode()} {bad.decode()}", export[:at] + bad + export[end:]


def _bytes(document: Any) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()
