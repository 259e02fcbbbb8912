"""The built-in protocol, its written-out form, the examples and the process that is made of a protocol."""

from dataclasses import replace

import pytest

from bigmind.flow.workflow import Level
from bigmind.paths import asset
from bigmind.protocol.document.built_in import built_in, template_text
from bigmind.protocol.document.protocol_document import PLACES, read_protocol
from bigmind.protocol.document.protocol_record import BUILT_IN, USUAL_LEVELS, Check, Phase


def shipped(file: str) -> str:
    return asset(f"protocol/{file}").read_text(encoding="utf-8")


def test_the_built_in_protocol_is_the_document_that_writes_it_out() -> None:
    read = read_protocol(shipped("protocol.yaml"), PLACES[1])
    assert replace(read, source=BUILT_IN) == built_in()
    assert len(built_in().digest) == 64


def test_every_phase_has_the_level_of_the_table() -> None:
    assert built_in().levels == USUAL_LEVELS
    assert [each for each in Phase if USUAL_LEVELS[each] is Level.MUST] == [
        Phase.MEMORY_INIT,
        Phase.SKILL_VALIDATION,
        Phase.CONTEXT_RETRIEVAL,
        Phase.QA_VALIDATION,
    ]


@pytest.mark.parametrize("part", ["start", "end"])
def test_the_checklist_has_a_line_for_each_phase_of_its_part(part: str) -> None:
    asked = dict.fromkeys(each.phase for each in built_in().part(part))
    assert [*asked] == [each for each in Phase if each.part == part]


def test_the_example_in_markdown_is_read() -> None:
    read = read_protocol(shipped("SESSION-PROTOCOL.md"), PLACES[0])
    assert (read.source, read.levels) == ("SESSION-PROTOCOL.md", USUAL_LEVELS)
    assert [each.req for each in read.checklist] == ["S1", "S2", "S3", "S4", "S5", "S6", "E1", "E2", "E3", "E4"]
    assert (read.handoff, read.logs, read.reports) == ("docs/HANDOFF.md", "docs/sessions", "docs/qa")
    assert (read.mandatory, read.docs) == (("usage", "git"), ("docs/**", "*.md"))
    assert read.checks == (
        Check("Lint", ("ruff", "check", "."), ("pyproject.toml",), 60),
        Check("Tests", ("python", "-m", "pytest", "-q"), ("pyproject.toml", "tests/conftest.py"), 600),
    )


def test_the_template_asks_for_run_and_commit_and_has_headings() -> None:
    text = template_text()
    assert "Run: " in text
    assert "Starting commit: " in text
    assert text.count("\n## ") == 5
