"""Where a process without a terminal writes: its log, and what a crash of the interpreter itself leaves."""

import faulthandler
import logging
import os
import sys
import threading
from contextlib import suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import IO

from bigmind.disk.existence import identity
from bigmind.disk.open_files import remove
from bigmind.paths import PRIVATE_FILE, PRIVATE_FOLDER, data_folder, log_file, make_private_folder

log = logging.getLogger(__name__)

LOG_BYTES = 2_000_000
CRASH_CHARACTERS = 20_000


class PrivateLog(RotatingFileHandler):
    """The log of one home, for this user only; also each new file after a rotation.

    One that somebody deletes or moves away begins anew: else all that comes until the next start would go nowhere. On
    Windows a file that another program has open is not renamed: it grows until that one has closed it.
    """

    def __init__(self, home: Path) -> None:
        make_private_folder(log_file(home).parent)
        self._home, self._of = home, identity(home)
        self._has_failed = False
        super().__init__(log_file(home), maxBytes=LOG_BYTES, backupCount=2, encoding="utf-8")

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line, into a new file where the one that is open is not in its place."""
        with suppress(OSError):  # then what is open takes it, as far as it can
            self._begin_anew_where_lost()
        super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name is logging's
        """Tell the first failure alone: on a full disk each line fails, and nobody bounds what standard error fills."""
        if not self._has_failed:
            self._has_failed = True
            super().handleError(record)

    def _begin_anew_where_lost(self) -> None:
        """Not in a home that is away: it comes back with its log, and none is made in its place."""
        file = Path(self.baseFilename)
        # Windows deletes and moves no file that is open.
        if os.name == "nt" or self._is_open(file) or identity(self._home) != self._of:
            return
        file.parent.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
        lost, self.stream = self.stream, None  # pyright: ignore[reportAttributeAccessIssue] - as logging's own `close`
        if lost is not None:
            with suppress(OSError):  # what it still holds goes nowhere
                lost.close()
        self.stream = self._open()

    def _is_open(self, file: Path) -> bool:
        if self.stream is None:
            return False
        opened = os.fstat(self.stream.fileno())
        return identity(file) == (opened.st_dev, opened.st_ino)

    def _open(self) -> TextIOWrapper:
        os.close(os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, PRIVATE_FILE))
        return super()._open()

    def doRollover(self) -> None:  # noqa: N802 - the library's name
        """Begin a new file, or go on with this one where it cannot be put aside; each record tries again."""
        try:
            super().doRollover()
        except OSError:
            self.stream = self._open()


def log_to(handler: logging.Handler) -> None:
    """Send everything to `handler`; exceptions that nobody caught too."""
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    sys.excepthook = _uncaught
    threading.excepthook = lambda each: _uncaught(each.exc_type, each.exc_value, each.exc_traceback)


def _uncaught(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt | SystemExit):
        return
    log.critical("uncaught", exc_info=(kind, error or kind(), trace))
    if sys.stderr:  # whoever started it reads that, on the terminal or in start.log; a program without one has none
        print(in_one_sentence(error or kind()), file=sys.stderr)  # noqa: T201


def in_one_sentence(error: BaseException) -> str:
    """An error that nobody expected, without its statement, its links and its traceback: the log has those."""
    told = getattr(error, "orig", None) or error  # a driver's own words, which SQLAlchemy wraps
    words = str(told).strip().partition("\n")[0]
    said = f"{type(told).__name__}: {words}" if words else type(told).__name__
    return " ".join((f"{said.removesuffix('.')}.", *getattr(error, "__notes__", ()), f"See {log_file(data_folder())}."))


def crash_file(home: Path) -> Path:
    """Where the interpreter writes the stacks of all threads when it dies of a fault; empty while all is well."""
    return log_file(home).with_name("crash.log")


def watch_for_crashes(home: Path) -> IO[str]:
    """Tell the log what an earlier run died of, and have a fault of this one written down.

    For the owner of the store only: two processes would write into one file.
    """
    file = crash_file(home)
    make_private_folder(file.parent)
    if file.is_file() and (left := file.read_text(encoding="utf-8", errors="replace").strip()):
        log.error("an earlier run of BigMind crashed:\n%s", left[-CRASH_CHARACTERS:])
    opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE_FILE)
    stream = os.fdopen(opened, "w", encoding="utf-8")
    faulthandler.enable(stream)
    return stream


def no_crash(stream: IO[str], home: Path) -> None:
    """This run ended well: leave no file."""
    faulthandler.disable()
    stream.close()
    with suppress(OSError):  # it is empty
        remove(crash_file(home))
