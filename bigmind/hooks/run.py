"""`bigmind hook EVENT --client NAME`: reads what the client says on stdin, asks the server, prints the client's form.

Whatever happens, it ends with code 0 and within its budget: no IDE waits for BigMind, and none is told of its troubles.
"""

import os
import threading
import time
from contextlib import suppress
from typing import Any, NoReturn

BUDGET = 0.25
"""Seconds from the start of the process to its answer; 50 ms less than what no hook may take."""

EDIT_BUDGET = 2.0
"""The same before an edit: what comes late there lets an edit pass that should not."""

USUAL_START = 0.05
"""Seconds that Python takes to come so far, where the system does not say when the process was started."""

LEAST = 0.05
"""Seconds that are left to the work itself, however late the process came to it."""

GRACE = 0.05
"""Seconds for an answer that is being printed when the budget ends."""

MOST_BYTES = 4 * 1024 * 1024
USAGE = b"usage: bigmind hook session-start|prompt|pre-compact|stop|session-end|edit|connection --client NAME\n"

_printing = threading.Lock()


def main(arguments: list[str]) -> NoReturn:
    """Serve one hook, and end the process."""
    from bigmind.hooks.client_events import hook_of  # noqa: PLC0415 - what main does first is not to be late
    from bigmind.hooks.connection_headers import CONNECTION, connection_headers  # noqa: PLC0415
    from bigmind.hooks.formats import unanswered  # noqa: PLC0415

    event, client = _asked(arguments)
    if event == CONNECTION and client:
        _end(connection_headers())
    hook = hook_of(client, event)
    nothing = unanswered(client, hook)
    watchdog = threading.Timer(_left(event), _end, [nothing])
    watchdog.daemon = True
    watchdog.start()
    if hook is None:
        with suppress(OSError):
            os.write(2, USAGE)
        _end(nothing)
    if _answered(client, event):
        os._exit(0)
    _end(nothing)


def _asked(arguments: list[str]) -> tuple[str, str]:
    """The event and the client that the command line names; empty when it is not of the documented form."""
    match arguments:
        case [event, "--client", client]:
            return event, client
        case _:
            return "", ""


def _answered(client: str, event: str) -> bool:
    """Whether the server's answer was printed, in the client's form."""
    from bigmind.hooks.attendance import is_attended  # noqa: PLC0415
    from bigmind.hooks.client_events import HookReply, hook_of  # noqa: PLC0415
    from bigmind.hooks.formats import answer, neutral, read, run_by  # noqa: PLC0415
    from bigmind.hooks.requests import HookCall, ask  # noqa: PLC0415 - after the watchdog was started
    from bigmind.hooks.workspace_files import is_elsewhere  # noqa: PLC0415

    said = _said()
    if said is None:
        return False
    client, moment = run_by(client, said), read(said)
    hook = hook_of(client, event, moment.name)
    if hook is None or (moment.is_aside and hook.says is not HookReply.REFUSAL):
        return _print(neutral(client, hook))
    if hook.says is HookReply.REFUSAL and is_elsewhere(moment.file, moment.folder or os.getcwd()):  # noqa: PTH109
        return _print(neutral(client, hook))
    call = HookCall(client, hook, moment, is_attended(client, said))
    return ask(call, _budget(event), lambda context, notice: _print(answer(client, hook, context, notice)))


def _said() -> dict[str, Any] | None:
    """The client's input; None for what is no JSON object, or too large for one."""
    import json  # noqa: PLC0415

    from bigmind.core.shapes import is_object  # noqa: PLC0415

    read = bytearray()
    try:
        while len(read) <= MOST_BYTES and (more := os.read(0, 65_536)):
            read += more
        said: object = json.loads(read) if len(read) <= MOST_BYTES else None
    except (OSError, ValueError, RecursionError):
        return None
    return said if is_object(said) else None


def _left(event: str) -> float:
    """Seconds of the budget that are left to this process."""
    return max(LEAST, _budget(event) - _age())


def _budget(event: str) -> float:
    """The budget in seconds: `BIGMIND_HOOK_MILLISECONDS`, of 100 to 60,000, for a machine that needs another."""
    with suppress(ValueError):
        chosen = float(os.environ.get("BIGMIND_HOOK_MILLISECONDS", "")) / 1_000
        if 0.1 <= chosen <= 60:  # noqa: PLR2004
            return chosen
    return EDIT_BUDGET if event == "edit" else BUDGET


def _age() -> float:
    """Seconds since this process was started."""
    try:
        with open("/proc/self/stat", encoding="ascii", errors="replace") as stat:  # noqa: PTH123 - pathlib costs time
            started = int(stat.read().rpartition(")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
        return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - started)
    except (OSError, ValueError, IndexError, AttributeError):  # no Linux
        return USUAL_START


def _print(text: str) -> bool:
    """Print `text`, unless something was printed already; whether it was."""
    if not _printing.acquire(timeout=GRACE):
        return False
    with suppress(OSError):  # nobody reads it
        left = text.encode("utf-8", "replace")
        while left:
            left = left[os.write(1, left) :]
    return True


def _end(text: str) -> NoReturn:
    """Print `text`, unless an answer is being printed already, and end the process."""
    _print(text)
    os._exit(0)
