"""Asks the server of this machine what a hook is to say."""

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from bigmind.core.errors import BigMindError, Code
from bigmind.core.shapes import as_object
from bigmind.hooks.client_events import HookEvent
from bigmind.hooks.formats import Json, Moment
from bigmind.local.connection import NotRunningError, ServerConnection
from bigmind.local.headers import header_value, safe_name
from bigmind.local.project import project_of
from bigmind.local.runfile import published
from bigmind.paths import BRIDGE, data_folder, token_sent_for

OK = 200
UNWRITABLE = (Code.STORAGE_FULL, Code.STORE_UNUSABLE)
LISTENS_WITHIN = 0.05
"""Seconds within which a connection is taken by what listens, on a machine that is busy."""


class HookCall(NamedTuple):
    """Which hook of which client is run, when, and whether a person follows the conversation (None: not known)."""

    client: str
    hook: HookEvent
    moment: Moment
    attended: bool | None


def ask(call: HookCall, seconds: float, say: Callable[[str, str], bool], system: str = sys.platform) -> bool:
    """Have said what the server wants its model to know; whether anything was said, if only that there is nothing.

    A conversation that starts while no server runs starts one, for what follows. What was given to a conversation is
    acknowledged once it was printed: a server that answers too late has given nothing.

    Args:
        call: what for.
        seconds: how long to wait each time for the server to say something.
        say: prints the context, and what the person is to know, each of which may be empty; whether it could.
        system: as `sys.platform` says it.
    """
    is_said = False
    try:
        home = data_folder()
        if call.hook.event == "session-start" and system == "win32" and _is_gone(home):
            _start()
            return False
        token = token_sent_for(home, call.client)
        headers = _headers(call, is_named=token != BRIDGE)
        with ServerConnection(home, token, seconds) as server:
            body = json.dumps(_fields(call)).encode()
            response = server.request("POST", f"/api/v1/hook_{_name(call)}", body, headers)
            if response.status != OK:
                told = _unnoted(call, server, as_object(json.loads(response.body)), headers)
                return bool(told) and say(told, "")
            said = as_object(json.loads(response.body))
            is_said = say(str(said.get("context") or ""), str(said.get("notice") or ""))
            if is_said and said.get("given_at"):
                given = {"conversation": call.moment.conversation, "at": said["given_at"]}
                server.request("POST", "/api/v1/hook_given", json.dumps(given).encode(), headers)
    except NotRunningError as error:
        if call.hook.event == "session-start" and not isinstance(error.__cause__, TimeoutError):
            _start()
    except (BigMindError, OSError, ValueError, RecursionError):
        pass
    return is_said


def _unnoted(call: HookCall, server: ServerConnection, fault: Json, headers: dict[str, str]) -> str:
    """What a conversation starts with where that cannot be noted: why, and what is known, which a full disk gives."""
    if call.hook.event != "session-start" or fault.get("code") not in UNWRITABLE:
        return ""
    response = server.request("POST", "/api/v1/memory_get_context", b"{}", headers)
    known = as_object(json.loads(response.body)).get("context") if response.status == OK else ""
    why = f"{fault.get('title')} {fault.get('hint', '')}".strip()
    return f"BigMind, your memory: nothing can be stored now. Tell the user. {why}\n\n{known or ''}".strip()


def _is_gone(home: Path) -> bool:
    """Whether nothing listens where a server said that it does: Windows says so when a hook is over already.

    A server that has the store is busy, and is asked as ever.
    """
    from bigmind.local.ports import takes_connections  # noqa: PLC0415 - on one system
    from bigmind.local.store_owner import is_locked  # noqa: PLC0415 - most hooks find a server

    said = published(home)
    return said is not None and not takes_connections(said.port, LISTENS_WITHIN) and not is_locked(home)


def _start() -> None:
    from bigmind.local.launch import start_server  # noqa: PLC0415
    from bigmind.local.store_owner import is_locked  # noqa: PLC0415 - most hooks find a server

    home = data_folder()
    with suppress(BigMindError, OSError):
        if not is_locked(home):
            start_server(home)


def _name(call: HookCall) -> str:
    return call.hook.event.replace("-", "_")


def _fields(call: HookCall) -> Json:
    """The input of the operation; a prompt's text is never passed."""
    moment = call.moment
    fields: Json = {"conversation": moment.conversation}
    match call.hook.event:
        case "session-start":
            fields |= {"source": moment.source, "attended": call.attended}
        case "prompt":
            fields["attended"] = call.attended
        case "stop":
            fields |= {"last_message": moment.last_message, "is_again": moment.is_again, "attended": call.attended}
        case "session-end":
            fields |= {"last_message": moment.last_message, "attended": call.attended}
        case "edit":
            fields["file"] = moment.file
        case _:
            pass
    return fields


def _headers(call: HookCall, *, is_named: bool) -> dict[str, str]:
    """What is sent along; `is_named`: the token says already whose hook it is."""
    headers = {"Accept": "application/json"}
    if not is_named:
        headers["BigMind-Client"] = safe_name(call.client)
    if project := _project(call.moment.folder):
        headers["BigMind-Project"] = header_value(project)
    return headers


def _project(folder: str) -> str | None:
    with suppress(OSError, ValueError):  # a folder that is gone, a name that is none
        return project_of(Path(folder) if folder else Path(os.getcwd()))  # noqa: PTH109 - one import less
    return None
