"""What an import and an export say of themselves to who reads it in a terminal."""

from bigmind import registry
from bigmind.maintenance.answers import CALLED
from bigmind.portable.answers import VERDICTS, WORDS, Exported, Imported, SectionCounts
from bigmind.portable.format.document import Document
from bigmind.portable.format.kind_records import section_words
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


def test_an_export_counts_what_it_holds_in_words_and_leaves_out_what_it_does_not() -> None:
    records = {"profiles": 0, "chunks": 2_000, "facts": 1, "hypotheses": 1, "knowledge": 2, "work_ledger": 1}
    told = Exported(path="/home/ada/memory.json", bytes=3_000, records=records).as_text()
    assert told == (
        "Exported to /home/ada/memory.json (3,000 bytes): 2,000 moments, 1 fact, 1 hypothesis, "
        "2 entries of company knowledge, 1 row of the work ledger."
    )


def test_an_export_of_nothing_says_so() -> None:
    assert Exported(path="a.json", bytes=300, records={"facts": 0}).as_text().endswith("nothing is remembered yet.")


def test_every_section_and_every_kind_is_called_by_its_own_words() -> None:
    assert section_words(registry.KINDS) == {section: WORDS[section] for section in section_words(registry.KINDS)}
    assert {each.name: each.words.one for each in registry.KINDS} == CALLED


def test_a_kind_that_was_added_elsewhere_is_called_by_its_name() -> None:
    told = Exported(path="out.json", bytes=10, records={"lighthouse_notes": 2})
    assert "2 lighthouse notes" in told.as_text()
