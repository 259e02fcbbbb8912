"""Draws every icon from the one mark, ui/templates/_brand.html: `.venv/bin/python packaging/icons.py`.

The results are committed, in assets/icons: the app's icon (bigmind.svg, .ico, .icns, bigmind-<edge>.png) and the tray's
(tray-<state>-<edge>.png), which stand on light panels as on dark ones: each colour has 3:1 against white and against
#1c1c1c (WCAG 2.2, 1.4.11).
"""

import os
import re
import struct
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from PySide6.QtCore import QByteArray
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

Mode = QPainter.CompositionMode

ROOT = Path(__file__).parent.parent
ICONS = ROOT / "assets" / "icons"
BRAND = ROOT / "ui" / "templates" / "_brand.html"

APP_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
TRAY_SIZES = (16, 22, 24, 32, 48)
ICNS_KINDS = {16: b"icp4", 32: b"icp5", 64: b"icp6", 128: b"ic07", 256: b"ic08", 512: b"ic09"}
ICO_LIMIT = 256
OVERSAMPLED = 8
"""Small pictures are drawn this much larger and averaged: Qt alone leaves the spokes of 16 pixels uneven."""

APP_COLOUR, TRAY_COLOUR, BUSY_COLOUR, ATTENTION_COLOUR = "#4b45c6", "#6f69e6", "#0d9488", "#d97706"

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}">{shapes}</svg>'


@dataclass(frozen=True)
class Badge:
    """What is drawn in the tray icon's corner, and what is cut out around it first."""

    cut: str
    shapes: str


BADGES = {
    "ready": None,
    # An open ring, as something that turns.
    "busy": Badge(
        '<circle cx="17.6" cy="17.6" r="7.4"/>',
        f'<path d="M22.2 17.6a4.6 4.6 0 1 1-4.6-4.6" fill="none" stroke="{BUSY_COLOUR}" stroke-width="2.6"'
        ' stroke-linecap="round"/>',
    ),
    "attention": Badge(
        '<path d="M17.4 8 26 25.2H8.8Z"/>',
        f'<path d="M17.4 11.6 23.4 23H11.4Z" fill="{ATTENTION_COLOUR}" stroke="{ATTENTION_COLOUR}" stroke-width="1"'
        ' stroke-linejoin="round"/>'
        '<path d="M17.4 15.4v3.6M17.4 20.8v.6" stroke="#fff" stroke-width="1.6" stroke-linecap="round"/>',
    ),
}


def mark() -> str:
    """The shapes of the mark, in a square of 24 units."""
    return re.sub(r"</?svg[^>]*>", "", BRAND.read_text(encoding="utf-8").strip())


def app_svg() -> str:
    """The app's icon: the mark in white on a rounded square."""
    placed = 'transform="translate(7.2 7.2) scale(1.4)" fill="none" stroke="#fff" stroke-width="1.8"'
    return SVG.format(
        size=48,
        shapes=f'<rect x="2" y="2" width="44" height="44" rx="10" fill="{APP_COLOUR}"/><g {placed}>{mark()}</g>',
    )


def disc(edge: int) -> str:
    """The tray's icon: the mark's spokes in a disc, which stands for its ring."""
    spokes = "".join(re.findall(r'<circle[^>]*r="3\.2"/>|<path[^>]*/>', mark()))
    # Lines of less than a pixel and a half turn grey.
    width = max(2.1, 1.7 * 24 / edge)
    return (
        f'<circle cx="12" cy="12" r="11.5" fill="{TRAY_COLOUR}"/>'
        f'<g fill="none" stroke="#fff" stroke-width="{width}">{spokes}</g>'
    )


def canvas(edge: int) -> QImage:
    """A clear picture, to be drawn on."""
    image = QImage(edge * OVERSAMPLED, edge * OVERSAMPLED, QImage.Format.Format_RGBA8888)
    image.fill(0)
    return image


def draw(image: QImage, svg: str, mode: Mode = Mode.CompositionMode_SourceOver) -> None:
    """Draw an SVG over all of the picture."""
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setCompositionMode(mode)
    QSvgRenderer(QByteArray(svg.encode())).render(painter)
    painter.end()


def picture(image: QImage, edge: int) -> Image.Image:
    """The picture at its size, averaged from the large drawing."""
    large = Image.frombytes("RGBA", (image.width(), image.height()), bytes(image.constBits()))
    # With its colours multiplied by their opacity, so that what is clear lends no colour to the edges.
    return large.convert("RGBa").resize((edge, edge), Image.Resampling.BOX).convert("RGBA")


def write_png(path: Path, image: Image.Image) -> None:
    """A PNG of plain rows (filter 0), which app/desktop/tray/pictures.py reads without a library."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    pixels, row = image.tobytes(), image.width * 4
    rows = b"".join(b"\0" + pixels[start : start + row] for start in range(0, len(pixels), row))
    head = struct.pack(">IIBBBBB", image.width, image.height, 8, 6, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    )


def app_icons() -> None:
    """The app's icon in every form."""
    svg = app_svg()
    (ICONS / "bigmind.svg").write_text(svg + "\n", encoding="utf-8")
    made: dict[int, Image.Image] = {}
    for edge in APP_SIZES:
        draw(image := canvas(edge), svg)
        made[edge] = picture(image, edge)
        made[edge].save(ICONS / f"bigmind-{edge}.png", optimize=True)
    *smaller, largest = (edge for edge in APP_SIZES if edge <= ICO_LIMIT)
    made[largest].save(
        ICONS / "bigmind.ico",
        sizes=[(edge, edge) for edge in (*smaller, largest)],
        append_images=[made[edge] for edge in smaller],
    )
    entries = b"".join(entry(kind, (ICONS / f"bigmind-{edge}.png").read_bytes()) for edge, kind in ICNS_KINDS.items())
    (ICONS / "bigmind.icns").write_bytes(entry(b"icns", entries))


def entry(kind: bytes, data: bytes) -> bytes:
    """One part of an .icns file. Pillow's own would draw 1024 pixels from 512, four times the size of all the rest."""
    return kind + struct.pack(">I", len(data) + 8) + data


def tray_icons() -> None:
    """The tray's icon of each state and size."""
    for state, badge in BADGES.items():
        for edge in TRAY_SIZES:
            write_png(ICONS / f"tray-{state}-{edge}.png", tray_picture(badge, edge))


def tray_picture(badge: Badge | None, edge: int) -> Image.Image:
    """The disc, then room around the badge, then the badge."""
    draw(image := canvas(edge), SVG.format(size=24, shapes=disc(edge)))
    if badge is not None:
        draw(image, SVG.format(size=24, shapes=badge.cut), Mode.CompositionMode_DestinationOut)
        draw(image, SVG.format(size=24, shapes=badge.shapes))
    return picture(image, edge)


def main() -> None:
    """Draw them all."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QGuiApplication(sys.argv[:1])
    ICONS.mkdir(exist_ok=True)
    app_icons()
    tray_icons()
    del app


if __name__ == "__main__":
    main()
