"""What takes the space in a bundle, as a table: `python packaging/bundle/sizes.py dist/window/bigmind`."""

import sys
from collections import Counter
from pathlib import Path

MEGABYTE = 1_000_000
LEAST = 3 * MEGABYTE


def total(folder: Path) -> int:
    """Bytes of all files; a link takes none."""
    return sum(each.stat().st_size for each in folder.rglob("*") if each.is_file() and not each.is_symlink())


def table(bundle: Path) -> str:
    """The largest parts, and the rest together, in megabytes of 10^6 bytes."""
    parts: Counter[str] = Counter()
    for path in bundle.rglob("*"):
        if path.is_file() and not path.is_symlink():
            parts[part_of(path.relative_to(bundle))] += path.stat().st_size
    whole = sum(parts.values())
    rows = [(name, size) for name, size in parts.most_common() if size >= LEAST]
    rows.append(("all else", whole - sum(size for _, size in rows)))
    lines = [f"| {name} | {size / MEGABYTE:.1f} |" for name, size in rows]
    return "\n".join(["| part | MB |", "| --- | --- |", *lines, f"| **together** | **{whole / MEGABYTE:.1f}** |", ""])


def part_of(place: Path) -> str:
    """What a file of a bundle belongs to."""
    parts = place.parts
    if parts[0] != "lib":
        return "the program, with the archive of modules" if parts[0].startswith("bigmind") else parts[0]
    if len(parts) == 2:  # noqa: PLR2004 - a file beside the packages
        return parts[1].partition(".so")[0].partition("-")[0]
    if parts[1] == "PySide6":
        return "Qt: " + ("WebEngine" if "WebEngine" in place.name or "qtwebengine" in place.name else "the rest")
    return parts[1].removesuffix(".libs")


if __name__ == "__main__":
    sys.stdout.write(table(Path(sys.argv[1])))
