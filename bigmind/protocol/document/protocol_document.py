"""Reading a protocol: `SESSION-PROTOCOL.md` or `.bigmind/protocol.yaml`. Pure."""

import hashlib
import re

from bigmind.core.errors import BigMindError, Code
from bigmind.protocol.document.document_faults import HINT, FaultList, Mark, refuse
from bigmind.protocol.document.markdown_protocol import markdown_fields
from bigmind.protocol.document.protocol_form import form_fields
from bigmind.protocol.document.protocol_record import Protocol

PLACES = ("SESSION-PROTOCOL.md", ".bigmind/protocol.yaml")
"""Where a workspace has its protocol; the first that is there is read."""
LONGEST = 200_000
"""Characters of a document."""

_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")


def read_protocol(text: str, file: str) -> Protocol:
    """Read and check a protocol document.

    Args:
        text: at most 200,000 characters: YAML where the name of the file ends in `.yaml` or `.yml`, else Markdown.
        file: its name, one of `PLACES`; what faults call it.

    Raises:
        BigMindError: `invalid_input`, naming file, line and column of what is wrong, at most ten faults at once;
            `too_large`.
    """
    if len(text) > LONGEST:
        raise BigMindError(Code.TOO_LARGE, f"{file} has more than {LONGEST:,} characters.", HINT)
    lines = re.sub(r"\r\n?", "\n", text).removeprefix("\ufeff")
    if unseen := _UNSEEN.search(lines):
        before = lines[: unseen.start()]
        mark = Mark(before.count("\n") + 1, len(before) - before.rfind("\n"))
        refuse(file, [(mark, f"U+{ord(unseen.group()):04X} is no character of a document: leave it out")])
    faults = FaultList(file)
    read = form_fields if file.endswith((".yaml", ".yml")) else markdown_fields
    fields = read(lines, faults)
    faults.refuse_any()
    return Protocol(source=file, text=text, digest=hashlib.sha256(text.encode()).hexdigest(), **fields)
