"""Documents as programs of Windows write them: PowerShell redirects in UTF-16, and older editors write a code page."""

import hashlib

import pytest

from tests.protocol.places import HANDOFF
from tests.protocol.workshop import Workshop

PROTOCOL = "SESSION-PROTOCOL.md"
TEXT = "# Überblick\n\n| Place | Path |\n| --- | --- |\n| Handoff | `docs/HANDOFF.md` |\n"


def test_a_run_whose_documents_are_utf_16_is_complete_and_judged_by_their_words(workshop: Workshop):
    runner = workshop.runner()
    begun = runner.begin()
    assert runner.to_work().success
    runner.place.write("src/refunds.py", "def refund(cents):\n    return round(cents, 2)\n")
    runner.place.log(begun.session_id, begun.starting_commit)
    runner.report()
    for path in (HANDOFF, f"docs/sessions/{begun.session_id}.md", f"docs/qa/{begun.session_id}.md"):
        file = runner.place.root / path
        file.write_bytes(file.read_text(encoding="utf-8").encode("utf-16"))
    runner.place.commit()
    stands = {
        each: runner("validate_gate", phase=each).status for each in ("SESSION_LOG", "QA_VALIDATION", "DOCS_UPDATE")
    }
    # The same words in other bytes are no change of the handoff document.
    assert stands == {"SESSION_LOG": "PASS", "QA_VALIDATION": "PASS", "DOCS_UPDATE": "FAIL"}
    (runner.place.root / HANDOFF).write_bytes("# Übergabe\n\nRefunds are rounded now.\n".encode("utf-16"))
    runner.place.commit()
    ended = runner("session_end", summary="Refunds are rounded.")
    assert ended.status == "COMPLETE", ended.in_words()


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_a_protocol_that_is_not_utf_8_is_refused_in_words(workshop: Workshop, encoding: str):
    """Its text would be another one than was taken at each look."""
    place = workshop.place()
    data = TEXT.encode(encoding)
    (place.root / PROTOCOL).write_bytes(data)
    uid = workshop.office.rows("SELECT uid FROM workspace WHERE path = :path", path=str(place.root))[0][0]
    digest = hashlib.sha256(data).hexdigest()
    refused = workshop.office.person.refuses("protocol_take_text", workspace=uid, digest=digest)
    assert refused.message == "SESSION-PROTOCOL.md is not UTF-8."
    (place.root / PROTOCOL).write_text(TEXT, encoding="utf-8", newline="\r\n")
    workshop.office.person("protocol_take_text", workspace=uid, digest=place.digest(PROTOCOL))
    assert workshop.runner(place).begin().notice == ""
