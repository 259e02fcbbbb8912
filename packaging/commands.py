"""Writes assets/commands.json: the operations that have a command, from which the command line is built.

Run by hand with the environment, `.venv/bin/python packaging/commands.py`; the file is committed, and a test holds it
against the operations.
"""

from bigmind.cli.operation_commands.command_records import FILE, recorded, written
from bigmind.core.operation import Surface
from bigmind.paths import asset
from bigmind.wiring import catalogue


def main() -> None:
    """Write the records."""
    asset(FILE).write_text(written(recorded(catalogue().on(Surface.CLI))), encoding="utf-8")


if __name__ == "__main__":
    main()
