"""What an import and an export say of themselves to who reads it in a terminal."""

from bigmind.portable.answers import VERDICTS, Imported, SectionCounts
from bigmind.portable.format.document import Document
from bigmind.portable.outcome import Verdict

WIDTH = 80


def answer(*sections: SectionCounts) -> Imported:
    return Imported(
        source="/home/ada/memory.json",
        mode="merge",
        dry_run=False,
        changed=bool(sections),
        sections=list(sections),
        secrets={},
        backup=None,
    )


def test_each_kind_is_a_line_with_what_became_of_it_and_no_more() -> None:
    told = answer(
        SectionCounts(section="chunks", new=12_000, older=1), SectionCounts(section="knowledge", unchanged=3)
    ).as_text()
    assert told.splitlines() == [
        "Import of /home/ada/memory.json (merge) changed this:",
        "",
        "- Moments: 12,000 added, 1 kept (newer here)",
        "- Entries of company knowledge: 3 the same",
    ]
    assert max(map(len, told.splitlines())) < WIDTH


def test_a_file_without_a_record_changes_nothing() -> None:
    assert answer().as_text() == "Import of /home/ada/memory.json (merge) changed nothing."


def test_every_section_and_every_verdict_has_words() -> None:
    sections = [name for name in Document.model_fields if name != "header"]
    told = answer(*(SectionCounts(section=each, new=1) for each in sections)).as_text().splitlines()[2:]
    assert len(set(told)) == len(sections)
    assert not any("_" in line or "chunk" in line for line in told)
    assert set(VERDICTS) == {"removed", *map(str, Verdict)}
