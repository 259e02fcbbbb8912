"""The forms that name a file: one that the browser has just sent, or one of this machine."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import anyio.to_thread

from bigmind.core.errors import BigMindError, Code
from bigmind.http.api import AnyRequest, caller_of
from ui.forms.actions import check_form
from ui.show.stored_fields import as_stored
from ui.transfers import TransferFolder


async def fields_of(request: AnyRequest, cookie: str) -> Sequence[tuple[str, str]]:
    """The fields of a form of ours; raises BigMindError `forbidden` for any other."""
    form = await request.form()
    fields = as_stored((name, str(value)) for name, value in form.multi_items())
    check_form(request, cookie, dict(fields))
    return fields


async def named_file(request: AnyRequest, sent: TransferFolder, fields: Mapping[str, str]) -> str:
    """The path of the file that was just sent, else of the one that is named.

    Raises:
        BigMindError: `invalid_input`, when none is; `not_found`, when what was sent is gone, or is somebody else's.
    """
    named = fields.get("uploaded") or fields.get("path", "").strip()
    if not named:
        raise BigMindError(Code.INVALID_INPUT, "No file is chosen.", "Choose one, or name one of this machine.")
    # On a thread: the place that is named may be on a drive that does not answer.
    found = await anyio.to_thread.run_sync(sent.find, caller_of(request), Path(named))
    return str(found) if found is not None else named
