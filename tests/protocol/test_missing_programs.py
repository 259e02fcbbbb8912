"""A check whose program is not found: what would be right is said, and Windows has scripts that only cmd runs."""

import sys

from bigmind.protocol.in_person.workspace_acts import RUN_BY_CMD, shown_digest, standing_of
from bigmind.workspace.opened import workspace_with_id
from tests.protocol.workshop import Workshop

PROTOCOL = ".bigmind/protocol.yaml"
TEXT = """format: bigmind-protocol
checks:
  - {name: npm, command: "./npm.cmd test"}
  - {name: gone, command: "gone x"}
"""


def test_what_is_not_run_is_refused_with_what_would_be_right(workshop: Workshop):
    place, office = workshop.place(), workshop.office
    place.write(PROTOCOL, TEXT)
    place.write("npm.cmd", "@exit /b 0\n")
    uid = office.rows("SELECT uid FROM workspace WHERE path = :path", path=str(place.root))[0][0]
    office.person("protocol_take_text", workspace=uid, digest=place.digest(PROTOCOL))
    with office.memory.mind.store.read(office.memory.caller, "test") as work:
        standing = standing_of(work, workspace_with_id(work, uid))
        shown, scripts = shown_digest(standing), standing.scripts
    refused = office.person.refuses("protocol_approve_commands", workspace=uid, digest=shown)

    is_windows = sys.platform == "win32"
    assert refused.message == "No program is found for: npm, gone."
    assert refused.hint == (
        RUN_BY_CMD if is_windows else "Install it where BigMind searches, or name its path in the workspace."
    )
    assert scripts == ({"npm"} if is_windows else set())
