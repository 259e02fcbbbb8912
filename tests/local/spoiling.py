"""What may come to stand in the place of a file of ours."""

import json
import os
from collections.abc import Callable
from pathlib import Path

from bigmind.local.runfile import RunningServer, published

Spoiling = Callable[[Path], object]
"""Makes something else of the file at this path, which may be there or not."""


def _gone(path: Path) -> None:
    path.unlink(missing_ok=True)


def _text(text: bytes) -> Spoiling:
    return lambda path: path.write_bytes(text)


def _said(**other: object) -> Spoiling:
    """What an honest run file says, but for some fields."""

    def spoil(path: Path) -> None:
        said = published(path.parent)
        assert isinstance(said, RunningServer)
        fields = {name: getattr(said, name) for name in said.__slots__} | other
        path.write_text(json.dumps(fields))

    return spoil


def _pipe(path: Path) -> None:
    _gone(path)
    os.mkfifo(path)


def _folder(path: Path) -> None:
    _gone(path)
    (path / "full").mkdir(parents=True)


def _link(to: str) -> Spoiling:
    def spoil(path: Path) -> None:
        _gone(path)
        path.symlink_to(to)

    return spoil


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 33)


SPOILINGS: dict[str, Spoiling] = {
    "gone": _gone,
    "empty": _text(b""),
    "half": _text(b'{"pid": 1, "port": 77'),
    "zeros": _text(bytes(4_096)),
    "no text": _text(b"\xff\xfe\x00\x80" * 9),
    "no object": _text(b"[[]]"),
    "deep": _text(b"[" * 60_000),
    "a number too large": _text(b'{"pid": 1e999, "port": 1e999, "key": "", "version": ""}'),
    "eight gigabytes": _sparse,
    "a pipe": _pipe,
    "a folder": _folder,
    "a link to nowhere": _link("nowhere.json"),
    "a link to itself": _link("run.json"),
    "a link to a device": _link("/dev/zero"),
    "a link to a terminal": _link("/dev/tty"),
    "another process": _said(pid=1),
    "another port": _said(port=1),
    "another key": _said(key="0" * 64),
    "another version": _said(version="0.0.1"),
}
