"""Asks the server of this machine what a hook is to say."""

import json
import os
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import NamedTuple

from bigmind.core.errors import BigMindError
from bigmind.core.shapes import as_object
from bigmind.hooks.clients import HookEvent
from bigmind.hooks.formats import Json, Moment
from bigmind.local.connection import NotRunningError, ServerConnection
from bigmind.local.headers import header_value, safe_name
from bigmind.local.project import project_of
from bigmind.paths import data_folder

OK = 200


class Asked(NamedTuple):
    """Which hook of which client is run, and when."""

    client: str
    hook: HookEvent
    moment: Moment


def ask(asked: Asked, seconds: float) -> tuple[str, str]:
    """The context for the model, and why it should not stop; both empty when nobody answers.

    A conversation that starts while no server runs starts one, for what follows.

    Args:
        asked: what for.
        seconds: how long to wait each time for the server to say something.
    """
    try:
        home = data_folder()
        with ServerConnection(home, "bridge", seconds) as server:
            body = json.dumps(_fields(asked)).encode()
            response = server.request("POST", f"/api/v1/hook_{_name(asked)}", body, _headers(asked))
        said = as_object(json.loads(response.body)) if response.status == OK else {}
    except NotRunningError as error:
        if asked.hook.event == "session-start" and not isinstance(error.__cause__, TimeoutError):
            _start()
        return "", ""
    except (BigMindError, OSError, HTTPException, ValueError, RecursionError):
        return "", ""
    return str(said.get("context") or ""), str(said.get("hold") or "")


def _start() -> None:
    from bigmind.local.launch import start_server  # noqa: PLC0415 - most hooks find a server

    with suppress(BigMindError, OSError):
        start_server(data_folder())


def _name(asked: Asked) -> str:
    return asked.hook.event.replace("-", "_")


def _fields(asked: Asked) -> Json:
    """The input of the operation; a prompt's text is never passed."""
    moment = asked.moment
    fields: Json = {"conversation": moment.conversation}
    match asked.hook.event:
        case "session-start":
            fields["source"] = moment.source
        case "stop":
            fields |= {"last_message": moment.last_message, "may_hold": moment.may_hold and asked.hook.says == "hold"}
        case "session-end":
            fields["last_message"] = moment.last_message
        case _:
            pass
    return fields


def _headers(asked: Asked) -> dict[str, str]:
    headers = {"Accept": "application/json", "BigMind-Client": safe_name(asked.client)}
    if project := _project(asked.moment.folder):
        headers["BigMind-Project"] = header_value(project)
    return headers


def _project(folder: str) -> str | None:
    with suppress(OSError, ValueError):  # a folder that is gone, a name that is none
        return project_of(Path(folder) if folder else Path(os.getcwd()))  # noqa: PTH109 - one import less
    return None
