"""The server alone, in a terminal or in the background."""

import logging
import os
import sys
from contextlib import suppress

from app.core import Presentation, serve
from app.logs import PrivateLog, log_to
from bigmind.cli.exit_codes import exit_code_of
from bigmind.core.errors import BigMindError, Code
from bigmind.local.launch import FULL, IN_USE
from bigmind.local.runfile import RunningServer
from bigmind.settings.precedence import read_settings

log = logging.getLogger(__name__)

EXIT_CODES = {Code.STORE_IN_USE: IN_USE, Code.STORAGE_FULL: FULL}


def serve_in_background() -> int:
    """Serve without a terminal; everything goes to the log. Returns the process's exit code.

    Where there is a desktop, this is the app without its window: whoever it was started by, its person finds it in the
    tray.
    """
    from app.desktop.preflight import why_no_desktop  # noqa: PLC0415 - behind the settings' faults

    try:
        settings = read_settings()
        log_to(PrivateLog(settings.home))
        if why := why_no_desktop():
            log.info("the server alone: %s", why)
            look = Presentation.SERVER
        else:
            look = Presentation.WINDOW if settings.autoopen else Presentation.HIDDEN
        serve(settings, "bigmind serve --background", lambda server, _, __: _note_ready(server), look)
    except BigMindError as error:
        # Into start.log, where the starter reads it; that may be on the disk that is full. Not by `sys.stderr`: what is
        # left in its buffer fails once more at the end, and Python's own exit code takes the place of ours.
        if sys.stderr:
            with suppress(OSError):
                os.write(sys.stderr.fileno(), f"{error}\n".encode(errors="backslashreplace"))
        return EXIT_CODES.get(error.code, exit_code_of(error))
    return 0


def _note_ready(server: RunningServer) -> None:
    log.info("ready at %s", server.address)
