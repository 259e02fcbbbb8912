"""The `bigmind` command. The bridge comes first and alone: nothing else is imported for it."""

import sys
from io import TextIOWrapper


def main() -> None:
    """Run what the command line asks for, and exit with its code."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["mcp"] and not {"--help", "-h"} & set(arguments):
        from bigmind.mcp.bridge import main as bridge  # noqa: PLC0415

        sys.exit(bridge(arguments[1:]))
    if arguments[:2] == ["serve", "--background"]:
        from app.server import serve_in_background  # noqa: PLC0415

        sys.exit(serve_in_background())
    from app.commands import run  # noqa: PLC0415

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # what is remembered is not limited to a Windows code page
            stream.reconfigure(encoding="utf-8", errors="replace")
    run()
