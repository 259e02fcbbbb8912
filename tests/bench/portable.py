"""A whole life out of one server and into another: how long, and how much memory the server takes for it."""

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from tests.bench.report import Table, verdict
from tests.portable.generator import SMALL, Sizes, fill
from tests.portable.peak import MOST_MEGABYTES, peak_megabytes
from tests.support import Server, running_server

SECONDS = 900


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """Export, import into an empty store, the same again, and in place of itself."""
    sizes = SMALL if quick else Sizes()
    fill(folder / "one", sizes)
    file = folder / "life.json"
    table = Table("Export and import", ("what", "seconds", "peak RSS MB", "target peak"))
    with running_server(folder / "one") as server:
        _add(table, "export", server, "memory_export", output_path=str(file))
    with running_server(folder / "two"):
        pass  # what the first start takes is no matter of an import
    with running_server(folder / "two") as server:
        _add(table, "import into an empty store", server, "memory_import", path=str(file))
    with running_server(folder / "two") as server:
        _add(table, "the same again: nothing changes", server, "memory_import", path=str(file))
    with running_server(folder / "two") as server:
        _add(table, "in place of itself", server, "memory_import", False, path=str(file), mode="replace")
    table.notes.append(
        f"{sizes.sessions:,} sessions, {sizes.chunks:,} chunks, all kinds, four texts of a megabyte; "
        f"{file.stat().st_size / 1_000_000:.0f} MB of JSON. Each on a server just started."
    )
    yield table


def _add(table: Table, what: str, server: Server, operation: str, bounded: bool = True, **arguments: Any) -> None:
    begin = perf_counter()
    with server.http() as http:
        answered = http.post(f"/api/v1/{operation}", json=arguments, timeout=SECONDS)
    seconds = perf_counter() - begin
    assert answered.status_code == 200, answered.text
    peak = peak_megabytes(server.process.pid)
    table.add(what, f"{seconds:.1f}", f"{peak:.0f}", verdict(peak, MOST_MEGABYTES, " MB") if bounded else "—")
