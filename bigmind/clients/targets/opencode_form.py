"""The form of settings that opencode made, and Kilo took over with it: servers under `mcp`, files in `instructions`."""

from pathlib import Path
from typing import Any

from bigmind.clients.files.locations import Places
from bigmind.clients.parts import Entry, Format, Item
from bigmind.clients.target import ConnectionSpec, bridge
from bigmind.clients.targets.shared import http_value, server_entry
from bigmind.disk.existence import is_known_file

SERVERS = ("mcp",)


def remote(settings: Path, wanted: ConnectionSpec) -> Entry:
    """The server with an address. Without `oauth: false`, a refusal would open a browser."""
    value = {**http_value(wanted, type="remote"), "oauth": False, "enabled": True}
    return server_entry(settings, value, wanted.token, under=SERVERS)


def local(settings: Path, wanted: ConnectionSpec, client: str) -> Entry:
    """The bridge: program and arguments in one list."""
    command, arguments = bridge(wanted, client)
    value: dict[str, Any] = {"type": "local", "command": [command, *arguments], "enabled": True}
    return server_entry(settings, value, under=SERVERS)


def named(settings: Path, file: str) -> Item:
    """A file of instructions, as the settings name it."""
    return Item(settings, Format.JSON, ("instructions",), file, file)


def from_home(places: Places, file: Path) -> str:
    """A file in the home, as the settings name it on every machine; a whole path for one elsewhere."""
    inside = file.is_relative_to(places.home)
    return f"~/{file.relative_to(places.home).as_posix()}" if inside else file.as_posix()


def there(*files: Path) -> Path:
    """The first of some files that is there; the last when none is."""
    return next((file for file in files if is_known_file(file)), files[-1])
