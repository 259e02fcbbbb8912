"""The tray's pictures: PNG files that packaging/icons.py made, and their pixels for a panel."""

import struct
import zlib
from functools import cache
from pathlib import Path

from app.desktop.tray.icon import TrayState
from bigmind.paths import asset

SIZES = (16, 22, 24, 32, 48)
"""Edges in pixels: what panels ask for, and twice that."""

SIGNATURE_BYTES = 8
CHANNELS = 4


def picture(state: TrayState, size: int) -> Path:
    """The icon of a state, `size` pixels wide and high, for light and dark panels."""
    return asset("icons") / f"tray-{state}-{size}.png"


@cache
def pixels(state: TrayState) -> list[tuple[int, int, bytes]]:
    """Every size of an icon as width, height and ARGB bytes, as the StatusNotifierItem protocol carries them."""
    return [argb(picture(state, size).read_bytes()) for size in SIZES]


def argb(png: bytes) -> tuple[int, int, bytes]:
    """Width, height and ARGB bytes of a PNG of ours: eight bits RGBA, not interlaced, rows as they are (filter 0).

    A library for every PNG would cost the app 3 MB for nine pictures that it made itself.
    """
    width, height = struct.unpack(">II", png[16:24])
    packed, at = b"", SIGNATURE_BYTES
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        if kind == b"IDAT":
            packed += png[at + 8 : at + 8 + length]
        at += length + 12
    rows, row = zlib.decompress(packed), width * CHANNELS
    rgba = b"".join(rows[start + 1 : start + 1 + row] for start in range(0, len(rows), row + 1))
    turned = bytearray(len(rgba))
    turned[0::4] = rgba[3::4]
    for channel in range(3):
        turned[channel + 1 :: 4] = rgba[channel::4]
    return width, height, bytes(turned)
