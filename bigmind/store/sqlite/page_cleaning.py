"""Overwrites the unused bytes of pages in place: what `secure_delete` leaves in them of cells that were moved.

SQLite offers no way to write a page but VACUUM, which keeps writers waiting for as long as the whole file takes, and
holds all of it in memory. What no cell uses means nothing to SQLite (https://sqlite.org/fileformat2.html#b_tree_pages),
so it may be set to zero behind its back, whoever reads the page meanwhile, and however much of that reaches the disk
before the power fails: no byte that is read is ever written. What must not happen beside it is a write to the page:
the caller holds the only writing connection, with an empty log, and nothing of the file in its cache.
"""

import struct
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from typing import NamedTuple

from bigmind.disk.flushing import to_disk
from bigmind.store.sqlite.driver import sound_driver

LOOKED_AT_ONCE = 1_024
"""Pages that are looked at in one step, at most: some 50 ms."""

_PAGE_SIZE, _RESERVED, _PAGES, _FREE, _AUTO_VACUUM = 16, 20, 28, 32, 52
"""Places in the file's header (https://sqlite.org/fileformat2.html#the_database_header)."""
_HEADER = 100
_INTERIOR, _LEAF = (0x02, 0x05), (0x0A, 0x0D)
_MOST_PAGES = 1 << 24
"""From here on a page of a long text may begin as that of a tree does: its first bytes are a page's number."""
_LOCKED_BYTE = 1 << 30
"""The page that holds it is never used."""


class _Layout(NamedTuple):
    size: int
    usable: int
    pages: int
    first_free: int
    auto_vacuum: bool


class PageFile:
    """The pages of one database file, beside SQLite.

    A process that closes a file loses SQLite's locks on it (https://sqlite.org/howtocorrupt.html, 2.2), so it stays
    open until `close`, after SQLite's own connections are closed.
    """

    def __init__(self, path: Path) -> None:
        """Nothing is opened before it is needed."""
        self._path = path
        self._opened: FileIO | None = None

    def clean(self, first: int, many: int = LOOKED_AT_ONCE) -> int:
        """Overwrite what is unused in so many pages from number `first` on; the number after the last, 0 at the end.

        Raises:
            One of the driver's errors, where the file is not as SQLite writes it.
        """
        layout = self._layout()
        last = min(layout.pages, first + many - 1)
        begin = (first - 1) * layout.size
        content = self._read(begin, (last - first + 1) * layout.size)
        free = self._used_of_free_pages(layout)
        for number in range(first, last + 1):
            place = (number - 1) * layout.size
            page = content[place - begin : place - begin + layout.size]
            if number in free:
                cleaned = _emptied(page, free[number], layout.usable)
            elif _is_of_a_tree(layout, number):
                cleaned = _cleaned(page, layout.usable, _HEADER if number == 1 else 0)
            else:
                continue
            if cleaned is not None:
                self._write(place, cleaned)
        return last + 1 if last < layout.pages else 0

    def _used_of_free_pages(self, layout: _Layout) -> dict[int, int]:
        """The pages that nothing is in, and how many bytes of each the list of them takes."""
        found: dict[int, int] = {}
        trunk = layout.first_free
        while trunk and trunk not in found:
            page = self._read((trunk - 1) * layout.size, layout.size)
            following, count = struct.unpack_from(">II", page)
            leaves = struct.unpack_from(f">{min(count, layout.usable // 4 - 2)}I", page, 8)
            found |= {trunk: 8 + 4 * len(leaves)} | dict.fromkeys(leaves, 0)
            trunk = following
        return found

    def synchronize(self) -> None:
        """Have all of it on the disk."""
        to_disk(self._file.fileno())

    def close(self) -> None:
        """Close it; call it after every connection to the file of this process is closed."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    @property
    def _file(self) -> FileIO:
        if self._opened is None:
            self._opened = FileIO(self._path, "r+")
        return self._opened

    def _layout(self) -> _Layout:
        header = self._read(0, _HEADER)
        [size] = struct.unpack_from(">H", header, _PAGE_SIZE)
        size = 65_536 if size == 1 else size
        pages, first_free = struct.unpack_from(">II", header, _PAGES)
        if not header.startswith(b"SQLite format 3\x00") or not 0 < pages < _MOST_PAGES:
            raise sound_driver().DatabaseError("the header of the file is not as it should be")
        [auto_vacuum] = struct.unpack_from(">I", header, _AUTO_VACUUM)
        return _Layout(size, size - header[_RESERVED], pages, first_free, bool(auto_vacuum))

    def _read(self, place: int, size: int) -> bytes:
        self._file.seek(place)
        parts: list[bytes] = []
        while size and (part := self._file.read(size)):
            parts.append(part)
            size -= len(part)
        if size:
            raise sound_driver().DatabaseError("the file ends before its last page does")
        return b"".join(parts)

    def _write(self, place: int, content: bytes) -> None:
        self._file.seek(place)
        left = memoryview(content)
        while left:
            left = left[self._file.write(left) :]


def _is_of_a_tree(layout: _Layout, number: int) -> bool:
    """Whether a page can be one of a tree: not the one that is never used, and none that says where pages hang."""
    if number == _LOCKED_BYTE // layout.size + 1:
        return False
    return not (layout.auto_vacuum and number > 1 and (number - 2) % (layout.usable // 5 + 1) == 0)


def _emptied(page: bytes, used: int, usable: int) -> bytes | None:
    """A free page without what comes after the bytes that are used; None where there is nothing."""
    return page[:used] + bytes(usable - used) + page[usable:] if page[used:usable].strip(b"\0") else None


def _cleaned(page: bytes, usable: int, header: int) -> bytes | None:
    """A page without what is unused in it; None where there is nothing, and for what is no page of a tree."""
    kind = page[header]
    if kind not in _INTERIOR and kind not in _LEAF:
        return None
    free, cells, content = struct.unpack_from(">HHH", page, header + 1)
    content = content or 65_536
    pointers = header + (12 if kind in _INTERIOR else 8)
    end = pointers + 2 * cells
    if not end <= content <= usable or (cells and min(struct.unpack_from(f">{cells}H", page, pointers)) < content):
        raise sound_driver().DatabaseError("a page of the file is not as it should be")
    cleaned: bytearray | None = None
    for begin, until in [(end, content), *_free_blocks(page, usable, free)]:
        if page[begin:until].strip(b"\0"):
            cleaned = cleaned or bytearray(page)
            cleaned[begin:until] = bytes(until - begin)
    return None if cleaned is None else bytes(cleaned)


def _free_blocks(page: bytes, usable: int, free: int) -> Iterator[tuple[int, int]]:
    """Where a page has free blocks, each without the four bytes that tell of it."""
    while free:
        if free + 4 > usable:
            raise sound_driver().DatabaseError("a free block of a page is not as it should be")
        following, size = struct.unpack_from(">HH", page, free)
        if size < 4 or free + size > usable or (following and following < free + size):  # noqa: PLR2004
            raise sound_driver().DatabaseError("a free block of a page is not as it should be")
        yield free + 4, free + size
        free = following
