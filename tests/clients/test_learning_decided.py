"""What was decided is listed: what it became, as that stands today, and whether it can be taken back."""

from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

from tests.clients.learnt import Person, chat, packed, write

PSYCOPG = "We decided on psycopg 3 instead of asyncpg"


def here(person: Person) -> dict[str, str]:
    return {"workspace": str(person.workspace)}


def told(person: Person) -> dict[str, Any]:
    """What is listed as decided, by its words."""
    return {each.text: each for each in person.do("learn_decided").decided}


def test_what_was_decided_is_listed_with_what_it_became_the_newest_first(person: Person, tmp_path: Path) -> None:
    file = packed(tmp_path / "chats.zip", {"conversations.json": [chat(1)]})
    person.do("memory_store_fact", category="preference", fact="Tools: Use uv, never pip")
    person.do("memory_update_profile", preferences="Says please.")
    known = person.proposals()["Tools: Use uv, never pip"].digest
    person.do("learn_accept", digests=[known], **here(person))
    learnt = {each.kind: each for each in person.decide_all("learn_accept", **here(person)).learnt}
    (session,) = person.decide_all("learn_accept", file=str(file)).learnt
    (dismissed,) = person.decide_all("learn_dismiss", **here(person)).dismissed
    listed = person.do("learn_decided")
    assert (listed.accepted, listed.dismissed) == (len(listed.decided) - 1, 1)
    assert [each.digest for each in listed.decided][:2] == [dismissed, session.digest]
    assert listed.decided[-1].digest == known
    rows = {each.digest: each for each in listed.decided}
    assert {(each.state, each.can_undo) for each in listed.decided} == {("", True)}
    for kind in ("fact", "knowledge"):
        made, row = learnt[kind], rows[learnt[kind].digest]
        assert (row.decision, row.kind, row.id, row.text) == ("accepted", kind, made.id, made.text)
    assert rows[learnt["profile"].digest].text == "- Answer briefly, no praise - German is fine"
    assert (rows[session.digest].kind, rows[session.digest].text) == ("session", "Python typing")
    words = listed.as_text()
    for row, said in ((rows[dismissed], "Its words are kept nowhere."), (rows[known], "It was known already")):
        assert (row.kind, row.text) == ("", "")
        assert said in words
    newest = person.do("learn_decided", limit=2)
    assert [each.digest for each in newest.decided] == [dismissed, session.digest]
    assert newest.accepted == listed.accepted
    assert "The newest 2" in newest.as_text()


def test_what_became_of_it_since_is_said_and_whether_it_can_be_taken_back(person: Person, tmp_path: Path) -> None:
    write(person.workspace, {"AGENTS.md": "- Queues are drained before each release\n- Ports below 9000 are taken\n"})
    file = packed(tmp_path / "chats.zip", {"conversations.json": [chat(1), chat(2, "Doors")]})
    person.decide_all("learn_accept", **here(person))
    person.decide_all("learn_accept", file=str(file))
    before = told(person)
    entry, grown, kept = before["Commands (apollo)"], before["Doors"], before["Python typing"]
    person.do("memory_edit_global", entry_id=entry.id, title="How to test")
    person.do("memory_flag_important", content="Typed it", flag_reason="decision", session_id=grown.id)
    person.do("memory_deprecate_fact", fact_id=before[PSYCOPG].id, reason="asyncpg after all")
    person.do("memory_edit_fact", fact_id=before["Ports below 9000 are taken"].id, fact="Ports below 8000 are taken")
    person.do("memory_forget", id=before["Queues are drained before each release"].id, kind="fact", confirm=True)
    person.do("memory_edit_profile", preferences="Says nothing.")
    rows = {each.digest: each for each in person.do("learn_decided").decided}
    assert (rows[entry.digest].text, rows[entry.digest].state, rows[entry.digest].can_undo) == (
        "How to test",
        "changed",
        False,
    )
    assert (rows[grown.digest].state, rows[grown.digest].can_undo) == ("changed", False)
    assert (rows[kept.digest].state, rows[kept.digest].can_undo) == ("", True)
    states = {
        words: (rows[each.digest].text, rows[each.digest].state, rows[each.digest].can_undo)
        for words, each in before.items()
        if each.kind in {"fact", "profile"}
    }
    assert states[PSYCOPG] == (PSYCOPG, "deprecated", True)
    assert states["Ports below 9000 are taken"] == ("Ports below 8000 are taken", "changed", True)
    assert states["Queues are drained before each release"] == ("", "gone", True)
    assert states["- Answer briefly, no praise - German is fine"] == ("", "changed", False)
    can = {each.digest for each in rows.values() if each.can_undo}
    done = person.do("learn_undo", digests=list(rows))
    assert done.taken_back == len(can)
    assert {each.digest for each in person.do("learn_decided").decided} == rows.keys() - can


def test_nothing_is_listed_before_something_is_decided(person: Person) -> None:
    assert "Nothing was decided yet" in person.do("learn_decided").as_text()


def test_many_decisions_are_listed_with_as_many_queries_as_few(person: Person) -> None:
    person.decide_all("learn_accept", **here(person))
    few = queries(person)
    lines = "".join(f"## Part {number}\n- Rule {number} holds here\n\n```\nx\n```\n\n" for number in range(8))
    lines += "".join(f"## Other {number}\n- Rule {number} holds for everybody\n\n" for number in range(8))
    write(person.workspace, {"AGENTS.md": lines})
    assert len(person.decide_all("learn_accept", **here(person)).learnt) == 16
    assert queries(person) == few > 0


def queries(person: Person) -> int:
    """How many it takes to list what was decided."""
    asked: list[str] = []

    def note(*told: Any) -> None:
        asked.append(told[2])

    event.listen(Engine, "before_cursor_execute", note)
    try:
        person.do("learn_decided")
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    return len(asked)
