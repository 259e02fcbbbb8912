"""The `bigmind` command. The bridge and the hooks come first and alone: nothing else is imported."""

import os
import sys
from io import TextIOWrapper


def main() -> None:
    """Run what the command line asks for, and exit with its code."""
    arguments = sys.argv[1:]
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # what is remembered is not limited to a Windows code page
            stream.reconfigure(encoding="utf-8", errors="replace")
    _speak_for_clients(arguments)
    _refuse_what_spoils_words()
    if sys.platform == "win32" and "TZ" in os.environ:
        from bigmind.local.time_zone import heed_machines_zone  # noqa: PLC0415

        heed_machines_zone()
    if arguments[:2] == ["serve", "--background"]:
        from app.headless import serve_in_background  # noqa: PLC0415

        sys.exit(serve_in_background())
    if arguments in (["window"], ["failure"], ["browse"]):
        sys.exit(_shown(arguments[0]))
    if arguments[:1] == ["search-path"]:
        from app.search_path import main as search_path  # noqa: PLC0415

        sys.exit(search_path(arguments[1:]))
    if arguments[:1] == ["app"] and not set(arguments[1:]) - {"--hidden"}:
        from app.starting import start_app  # noqa: PLC0415

        sys.exit(start_app(hidden="--hidden" in arguments))
    if arguments in (["embedder"], ["guard"]) or (arguments[:2] == ["embedder", "download"] and arguments[2:]):
        sys.exit(_worked(arguments))
    from app.process_commands import run  # noqa: PLC0415

    run()


def _speak_for_clients(arguments: list[str]) -> None:
    """Be a bridge or a hook, and end with it, where that is asked for."""
    if arguments[:1] == ["mcp"] and not {"--help", "-h"} & set(arguments):
        from bigmind.mcp.bridge import main as bridge  # noqa: PLC0415

        sys.exit(bridge(arguments[1:]))
    if arguments[:1] == ["hook"] and not {"--help", "-h"} & set(arguments):
        from bigmind.hooks.run import main as hook  # noqa: PLC0415

        hook(arguments[1:])


def _refuse_what_spoils_words() -> None:
    """End where Python was told to leave out what BigMind says, or knows nothing but ASCII.

    Docstrings are the help and what models read of each tool. What else than ASCII stands in an argument would be
    stored damaged. Bridges and hooks need neither: their texts are bytes of a stream.
    """
    if sys.flags.optimize > 1:
        sys.exit(
            "BigMind's help and the descriptions of its tools are docstrings, and Python leaves them out here"
            " (PYTHONOPTIMIZE=2 or -OO).\nUnset PYTHONOPTIMIZE, or set it to 1."
        )
    if sys.getfilesystemencoding() == "ascii":
        sys.exit(
            "Python knows only ASCII here for arguments and file names, and would damage any other character."
            "\nSet PYTHONUTF8 to 1, or LC_ALL to a locale with UTF-8, such as C.UTF-8."
        )


def _worked(arguments: list[str]) -> int:
    """Be one of the processes that work for the server."""
    if arguments == ["guard"]:
        from bigmind.workspace.tree_guard import main as guard  # noqa: PLC0415

        return guard()
    from bigmind.local.standard_input import taken_input  # noqa: PLC0415

    sys.stdin = taken_input()
    if arguments == ["embedder"]:
        from bigmind.embedding.worker import serve  # noqa: PLC0415
        from bigmind.search.process.searcher import Searcher  # noqa: PLC0415

        searcher = Searcher()
        return serve({"search": searcher.answer}, {"search": searcher.prepare})
    from bigmind.embedding.download_worker import main as download  # noqa: PLC0415

    return download(arguments[2])


def _shown(what: str) -> int:
    """Be one of the processes that show something to the person."""
    if what == "window":
        from app.desktop.window import main as window  # noqa: PLC0415

        return window()
    if what == "failure":
        from app.desktop.failure_window import main as failure  # noqa: PLC0415

        return failure()
    from app.desktop.browser import browse  # noqa: PLC0415

    return browse()
