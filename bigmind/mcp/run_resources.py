"""The resources of protocol runs: what stands of a run, as JSON; and the texts that a run is served."""

import json
from collections.abc import Sequence
from functools import partial

import anyio.to_thread
import mcp_types as types

from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Caller
from bigmind.core.plain_text import all_visible
from bigmind.mcp.addresses import (
    HANDOFF,
    RUN_CHECKLIST,
    RUN_HISTORY,
    RUN_STATE,
    RUN_VIOLATIONS,
    RUNS,
    SKILLS,
    told_by,
)
from bigmind.operations.dispatch import Dispatcher
from bigmind.protocol.reporting import run_state
from bigmind.protocol.reporting.run_state import PARTS
from bigmind.store.work import Work

JSON = "application/json"
TOOL = "session_start"
"""Who is offered it is offered these."""
_SCHEME = "session://"
_READS = "protocol_read_text"
_OF_ONE = "This address takes no session_id: state the SHA-256 of the file with record_evidence, which takes one."


class RunResources:
    """`session://…`, each read anew from rows, files and git."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        """They are read for whoever asks."""
        self._dispatcher = dispatcher

    async def text_of(self, caller: Caller, uri: str) -> tuple[str, str] | None:
        """A resource's text and its media type; None for an address that is none of these.

        Raises:
            BigMindError: `no_run` and what else tools say of a run; `not_found`.
        """
        if not uri.startswith(_SCHEME):
            return None
        if uri == HANDOFF or uri.startswith(f"{SKILLS}/"):
            return await self._served(caller, uri.removeprefix(f"{SKILLS}/").removeprefix(_SCHEME)), "text/markdown"
        reference, part = _named(uri)
        if part not in PARTS:
            return None
        look = partial(run_state.look, reference=reference, part=part)
        outlook = await self._dispatcher.read(caller, told_by(uri), look)
        here = await anyio.to_thread.run_sync(run_state.gather, outlook)
        query = partial(run_state.told, reference=reference, part=part, here=here)
        told = await self._dispatcher.read(caller, told_by(uri), query)
        return json.dumps(all_visible(told), ensure_ascii=False, indent=1), JSON

    async def _served(self, caller: Caller, name: str) -> str:
        operation = self._dispatcher.catalogue.get(_READS)
        if operation is None:
            raise BigMindError(Code.NOT_FOUND, "Texts of runs are not served here.")
        try:
            answer = await self._dispatcher.call(operation, caller, {"name": name})
        except BigMindError as error:
            raise BigMindError(error.code, error.message, _OF_ONE) if error.code is Code.AMBIGUOUS else error from None
        return answer.in_words(caller.offer)


def _named(uri: str) -> tuple[str | None, str]:
    """Which run an address names, if any, and which part of it."""
    if not uri.startswith(f"{RUNS}/"):
        return None, uri.removeprefix(_SCHEME)
    name, _, part = uri.removeprefix(f"{RUNS}/").partition("/")
    return name, part


def listed() -> list[types.Resource]:
    """What there always is."""
    told = {
        RUN_STATE: ("Protocol run", "The run: phase, checklist, evidence, violations."),
        RUN_CHECKLIST: ("Checklist", "What the protocol asks for at the start and at the end, and how it stands."),
        RUN_HISTORY: ("History", "The last runs of the workspace, with their notes."),
        RUN_VIOLATIONS: ("Violations", "Gates that were passed by, and what made them good."),
    }
    found = [_resource(uri, uri.removeprefix(_SCHEME), *words, JSON) for uri, words in told.items()]
    text = "The handoff document; reading it here is evidence."
    return [*found, _resource(HANDOFF, "handoff", "Handoff", text, "text/markdown")]


def _resource(uri: str, name: str, title: str, description: str, media: str) -> types.Resource:
    return types.Resource(uri=uri, name=f"run-{name}", title=title, description=description, mime_type=media)


def templates() -> list[types.ResourceTemplate]:
    """What has a name of its own."""
    run = types.ResourceTemplate(
        uri_template=f"{RUNS}/{{id}}/state",
        name="run",
        title="Protocol run",
        description="A run by its id; checklist, history and violations in place of state.",
        mime_type=JSON,
    )
    note = types.ResourceTemplate(
        uri_template=f"{SKILLS}/{{name}}",
        name="skill",
        title="Skill note",
        description="A skill note of the workspace; reading it here is evidence.",
        mime_type="text/markdown",
    )
    return [run, note]


def names(work: Work, typed: str) -> Sequence[str]:
    """What completes the name of a run."""
    return run_state.run_names(work, typed, 101)
