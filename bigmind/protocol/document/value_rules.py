"""What may stand in a protocol: paths, patterns, names, commands, times. Each rule reads a text or says why not."""

import re
import shlex
import sys

from bigmind.core.errors import shown
from bigmind.protocol.document.document_faults import RuleFault

LONGEST_PATH = 240
LONGEST_NAME = 60
LONGEST_REQ = 40
LONGEST_STEP = 300
LONGEST_COMMAND = 2_000
MOST_SECONDS = 3_600
MOST_ROWS = 200
MOST_CHECKS = 20
MOST_PATHS = 50
"""Of one list of files, notes or patterns."""

_QUOTED_OR_SEPARATOR = re.compile(r"""'[^']*'|"(?:[^"\\]|\\.)*"|\\(?=[\w.])|\\.""", re.DOTALL)
"""What is quoted, a backslash between the parts of a path of Windows, or one that takes what follows as it stands."""
_OPERATORS = frozenset({"|", "||", "&", "&&", ";", ";;", ">", ">>", "<", "<<", "2>", "2>&1", "&>"})


def path_of(text: str) -> str:
    """A path inside the workspace, in its one form.

    Raises:
        RuleFault: it is none.
    """
    return _path(text, "a path")


def pattern_of(text: str) -> str:
    """A pattern of files inside the workspace: a path with `*`, `**` and `?`.

    Raises:
        RuleFault: it is none.
    """
    return _path(text, "a pattern")


def _path(text: str, called: str) -> str:
    path = text.strip().removeprefix("./").rstrip("/")
    told = shown(text)
    if not path or path == ".":
        raise RuleFault(f"{told} is no {called[2:]}: write one inside the workspace")
    if len(path) > LONGEST_PATH:
        raise RuleFault(f"{called} of {len(path)} characters: write at most {LONGEST_PATH}")
    if "\\" in path:
        raise RuleFault(f"{told} has a backslash: write {called} with /")
    if text.strip().startswith(("/", "~")) or ":" in path:
        raise RuleFault(f"{told} is not relative to the workspace: write {called} without a root, a drive or ~")
    parts = path.split("/")
    if ".." in parts or "." in parts or "" in parts:
        raise RuleFault(f"{told} may lead out of the workspace: write {called} without . and .. and empty parts")
    if any(each.strip().rstrip(".").lower() == ".git" for each in parts):
        raise RuleFault(f"{told} is git's own folder: write {called} outside .git")
    if "`" in path or not path.isprintable():
        raise RuleFault(f"{told} has characters that {called} cannot have here: leave out ` and what cannot be seen")
    return path


def note_of(text: str) -> str:
    """The name of a skill note: of a file in the skills folder, with or without `.md`.

    Raises:
        RuleFault: it is none.
    """
    name = path_of(text)
    if "/" in name or "," in name or len(name) > LONGEST_NAME:
        raise RuleFault(
            f"{shown(text)} is no name of a note: write it without / and comma, at most {LONGEST_NAME} characters"
        )
    return name


def name_of(text: str) -> str:
    """The name of a check.

    Raises:
        RuleFault: it is none.
    """
    name = line_of(text)
    if not name or len(name) > LONGEST_NAME:
        raise RuleFault(f"{shown(text)} is no name of a check: write 1 to {LONGEST_NAME} characters")
    return name


def req_of(text: str) -> str:
    """What a requirement is called.

    Raises:
        RuleFault: it is longer than that.
    """
    req = line_of(text)
    if len(req) > LONGEST_REQ:
        raise RuleFault(f"{shown(text)} is too long for a Req: write at most {LONGEST_REQ} characters")
    return req


def step_of(text: str) -> str:
    """What a requirement asks for.

    Raises:
        RuleFault: it is nothing, or longer than that.
    """
    step = line_of(text)
    if not step or len(step) > LONGEST_STEP:
        raise RuleFault(f"a step of {len(step)} characters: say what is done in 1 to {LONGEST_STEP}")
    return step


def line_of(text: str) -> str:
    """A text on one line, each gap in it one space."""
    return " ".join(text.split())


def command_of(text: str, system: str = sys.platform) -> tuple[str, ...]:
    r"""The program and arguments of a command line, split by the rules of POSIX; no shell ever reads it.

    But on Windows a backslash before a letter, which POSIX drops, separates, as in `cmd /c .\build.cmd`, and the
    program's own are slashes. Elsewhere it may be a part of a name: `tool\.sh` is `tool.sh`.

    Args:
        text: the command line.
        system: as `sys.platform` says it.

    Raises:
        RuleFault: it is none, or counts on a shell.
    """
    if len(text) > LONGEST_COMMAND:
        raise RuleFault(f"a command of {len(text)} characters: write at most {LONGEST_COMMAND}, or put it in a script")
    if not text.replace(" ", "").isprintable():
        raise RuleFault(f"{shown(text)} has characters that cannot be seen: write the command on one line without them")
    words = _words(text, system)
    if operators := _OPERATORS.intersection(words):
        raise RuleFault(f"{min(operators)} needs a shell, and there is none: write each command as a check of its own")
    if "=" in words[0]:
        raise RuleFault(f"{shown(words[0])} sets a variable, which needs a shell: begin with the program")
    if words[0].startswith(("/", "~")) or "\\" in words[0] or ".." in words[0].split("/"):
        raise RuleFault(f"{shown(words[0])} lies outside: name a program, or a path inside the workspace, with /")
    return words


def _words(text: str, system: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(_QUOTED_OR_SEPARATOR.sub(_kept, text) if system == "win32" else text))
    except ValueError as error:
        why = str(error).rstrip(".").lower()
        raise RuleFault(
            f"{shown(text)} cannot be split ({why}): close every quotation mark, put \\ before none"
        ) from None
    if not words or not words[0]:
        raise RuleFault("there is no command: write a program and its arguments")
    if system == "win32" and ":" not in words[0]:
        return (words[0].replace("\\", "/"), *words[1:])
    return words


def _kept(found: re.Match[str]) -> str:
    return "\\\\" if found[0] == "\\" else found[0]


def seconds_of(text: str) -> int:
    """A time limit.

    Raises:
        RuleFault: it is no whole number from 1 to 3,600.
    """
    number = text.strip()
    if not (
        number.isascii()
        and number.isdigit()
        and len(number) <= len(str(MOST_SECONDS))
        and 1 <= int(number) <= MOST_SECONDS
    ):
        raise RuleFault(f"{shown(text)} is no time limit: write a whole number of seconds from 1 to {MOST_SECONDS}")
    return int(number)
