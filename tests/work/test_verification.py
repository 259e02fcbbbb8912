"""What was changed behind the program's back is found, with the row and the item named."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from bigmind.flow.hash_chain import digest_of
from bigmind.paths import store_file
from bigmind.store.sqlite.snapshots import connected
from tests.mindspace.grove import Grove
from tests.work.office import TITLE, Office, Worker, as_command_line

SLUG = "round-refunds-to-the-cent"
Change = Callable[["Raw"], object]


class Raw:
    """The database as any program of the account may open it, with what protects the ledger taken away."""

    def __init__(self, office: Office) -> None:
        self._connection = connected(store_file(office.memory.mind.store.home))
        for act in ("update", "delete"):
            self._connection.execute(f"DROP TRIGGER IF EXISTS work_ledger_{act}")

    def __call__(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        return self._connection.execute(statement, values).fetchall()

    def close(self) -> None:
        self._connection.close()

    def body(self, number: int) -> dict[str, Any]:
        return json.loads(self("SELECT body FROM work_ledger WHERE number = ?", number)[0][0])

    def rebind(self, number: int, change: Callable[[dict[str, Any]], object]) -> None:
        """Change what a row says, and bind it and all behind it anew, as who knows how may do."""
        [(before,)] = self("SELECT before FROM work_ledger WHERE number = ?", number)
        for place, kept in self("SELECT number, body FROM work_ledger WHERE number >= ? ORDER BY number", number):
            body = json.loads(kept)
            if place == number:
                change(body)
            told, digest = json.dumps(body), digest_of(place, body, before)
            self(
                "UPDATE work_ledger SET body = ?, before = ?, digest = ? WHERE number = ?", told, before, digest, place
            )
            before = digest


@pytest.fixture
def done(office: Office) -> Office:
    """A store with an item that went all the way: created (1), claimed (2), handed over (3), completed (4)."""
    agent, slug = office.agent(), office.task()
    assert slug == SLUG
    agent.claim(slug)
    agent.learn()
    agent.moves(slug, "review")
    office.yes(slug)
    return office


def told(office: Office) -> list[str]:
    answer = office.person("work_verify")
    assert answer.is_refusal is bool(answer.faults)
    return [f"{each.number} {each.item}: {each.message}" for each in answer.faults]


def changed(office: Office, change: Change) -> list[str]:
    raw = Raw(office)
    try:
        change(raw)
    finally:
        raw.close()
    return told(office)


def test_what_nobody_touched_agrees(done: Office):
    answer = done.person("work_verify")
    assert (answer.rows, answer.faults, answer.covered, answer.is_refusal) == (4, [], 0, False)
    assert "No backup covers the rows from 1 on" in answer.as_text()
    assert "ledger_differs" not in [each.code for each in done.person("memory_health_check").findings]


def test_an_empty_ledger_agrees(office: Office):
    assert told(office) == []


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (
            lambda raw: raw("UPDATE work_item SET state = 'active'"),
            f'4 {SLUG}: state is "active", and this row left it "complete"',
        ),
        (
            lambda raw: raw("UPDATE work_item SET worked_by = 'codex'"),
            f'4 {SLUG}: worked_by is "codex", and this row left it "cursor"',
        ),
        (
            lambda raw: raw("UPDATE work_item SET ledger_number = 3"),
            f"4 {SLUG}: this is its newest row; the item says that it is row 3",
        ),
        (lambda raw: raw("UPDATE work_ledger SET kind = 'x' WHERE number = 2"), "2 UID: it stands under another item"),
        (lambda raw: raw("UPDATE work_ledger SET body = '{' WHERE number = 2"), "2 : row 2 was changed"),
        (
            lambda raw: raw("UPDATE work_ledger SET body = replace(body, 'cursor', 'codex') WHERE number = 3"),
            "3 : row 3 was changed",
        ),
        (lambda raw: raw("DELETE FROM work_ledger WHERE number = 2"), "2 : row 2 is missing"),
        (lambda raw: raw("DELETE FROM work_ledger WHERE number = 4"), f"3 {SLUG}: this is its newest row"),
        (lambda raw: raw("DELETE FROM work_item"), "4 UID: its item is gone, and no row says that it was forgotten"),
        (lambda raw: raw("DELETE FROM work_evidence WHERE kind = 'question'"), "2 UID: it used the question"),
        (lambda raw: raw("UPDATE work_evidence SET ledger_number = 9 WHERE kind = 'thought'"), "3 UID: it used the th"),
        (
            lambda raw: raw("INSERT INTO work_evidence VALUES ('question', 'made-up', 'x', 2)"),
            "2 : the list of what was used names the question made-up, and this row does not",
        ),
        (lambda raw: raw("UPDATE brain_query SET client = 'codex'"), "2 UID: it rests on the question"),
        (
            lambda raw: (raw("DELETE FROM brain_query_source"), raw("DELETE FROM brain_query")),
            "3 UID: it rests on the thought",
        ),
        (lambda raw: raw("UPDATE brain_query SET id = id + 100"), "it later than this row"),
        (
            lambda raw: raw("UPDATE work_ledger_text SET text = 'x' WHERE number = 1 AND name = 'title'"),
            "1 UID: its words (title) were changed",
        ),
        (
            lambda raw: raw("UPDATE work_ledger_text SET text = '', salt = '' WHERE number = 1 AND name = 'title'"),
            "1 UID: its words (title) were taken, and its item is there",
        ),
        (lambda raw: raw("DELETE FROM work_ledger_text WHERE name = 'title'"), "1 : its words (title) are missing"),
        (
            lambda raw: raw("INSERT INTO work_ledger_text VALUES (2, 'more', '', '', 'x')"),
            "2 : it has no words that are called more",
        ),
        (
            lambda raw: raw(
                "INSERT INTO work_confirmation (item_id, user_id, revision, at, place, note, ledger_number) "
                "VALUES (1, 1, 3, '2026-03-01 12:00:00.000000', 'window', '', 3)"
            ),
            f"3 {SLUG}: no row of the ledger wrote down its confirmation 1",
        ),
    ],
)
def test_it_is_found(done: Office, change: Change, found: str):
    uid = done.item(SLUG).uid
    faults = changed(done, change)
    assert any(found.replace("UID", uid) in each for each in faults), faults
    [finding] = [each for each in done.person("memory_health_check").findings if each.code == "ledger_differs"]
    assert (finding.severity, finding.count) == ("problem", len(faults))


def test_an_item_that_no_row_tells_of_is_found(done: Office):
    columns = (
        "user_id, created_at, updated_at, project, client, process, version, role, revision, due, entered_at, title"
    )
    faults = changed(
        done,
        lambda raw: raw(
            f"INSERT INTO work_item (uid, slug, state, {columns}) SELECT 'x', 'sly', 'complete', {columns} "
            "FROM work_item"
        ),
    )
    assert faults == ["0 sly: no row of the ledger tells of it"]


def test_a_question_that_is_used_twice_is_found(done: Office):
    """By who rewrites the chain whole, so that no hash tells."""

    def reuse(raw: Raw) -> None:
        raw.rebind(3, lambda body: body["gates"].append(raw.body(2)["gates"][0]))

    assert any(each.startswith("3 ") and "which row 2 used" in each for each in changed(done, reuse))


def test_a_yes_that_came_from_no_person_is_found(done: Office):
    faults = changed(done, lambda raw: raw.rebind(4, lambda body: body.update(surface="client")))
    assert any("4 " in each and "a person's to say" in each for each in faults)


def test_a_chain_that_was_rewritten_whole_lacks_the_heads_of_the_backups(done: Office):
    backup = done.person("backup_create").name
    answer = done.person("work_verify")
    assert (answer.covered, answer.as_text().splitlines()[-2]) == (4, "A backup covers all of it.")
    faults = changed(done, lambda raw: raw.rebind(4, lambda body: body.update(client="codex")))
    assert len(faults) == 1
    assert faults[0].startswith(f"4 : the chain lacks this row as the backup {backup}")


def test_rows_that_are_cut_off_are_missed_by_the_backups(done: Office):
    done.person("backup_create")

    def cut(raw: Raw) -> None:
        raw("DELETE FROM work_ledger WHERE number = 4")
        raw("DELETE FROM work_ledger_text WHERE number = 4")
        raw("UPDATE work_item SET state = 'review', ledger_number = 3")

    assert [each[:30] for each in changed(done, cut)] == ["4 : the chain lacks this row as"[:30]]


def test_what_no_head_covers_yet_is_said(done: Office):
    done.person("backup_create")
    done.task("Another one about walruses")
    answer = done.person("work_verify")
    assert (answer.rows, answer.covered) == (5, 4)
    assert "No backup covers the rows from 5 on yet" in answer.as_text()


def test_an_item_that_disagrees_moves_no_more_until_a_person_accepted_it(office: Office):
    agent, slug = office.agent(), office.task()
    changed(office, lambda raw: raw("UPDATE work_item SET state = 'review'"))
    assert agent.refuses("work_transition", slug=slug, to="active").code == "conflict"
    revision = office.item(slug).revision
    accept = {"slug": slug, "revision": revision, "note": "I put it there by hand."}
    assert _elsewhere(office).refuses("work_accept_standing", **accept).code == "in_person"
    assert office.person.refuses("work_accept_standing", **{**accept, "revision": 7}).code == "conflict"
    assert office.person("work_accept_standing", **accept).state == "review"
    assert told(office) == []
    assert office.person.refuses("work_accept_standing", **{**accept, "revision": revision + 1}).code == "conflict"
    office.yes(slug)
    newest = office.person("work_get_ledger", slug=slug).rows
    assert [each.kind for each in newest] == ["created", "reviewed", "moved"]
    assert newest[1].reason == "I put it there by hand."


def _elsewhere(office: Office) -> Worker:
    return as_command_line(office.agent())


def test_a_state_that_its_process_does_not_have_is_not_accepted(office: Office):
    slug = office.task()
    changed(office, lambda raw: raw("UPDATE work_item SET state = 'elsewhere'"))
    refusal = office.person.refuses("work_accept_standing", slug=slug, revision=1)
    assert "has no state 'elsewhere'" in refusal.message


def test_nodes_agree_when_they_are_imported_deleted_and_judged(office: Office):
    grove = Grove(office)
    first = grove.make("Weigh the heron")
    grove.make("Feed the heron", first, parent_id=first)
    grove.complete(first)
    other = grove.make("Wash the quartz")
    tree = office.person("mindspace_export").text
    grove.delete(other)
    grove.delete(first)
    assert told(office) == []
    office.person("mindspace_import", text=tree)
    assert told(office) == []
    uid = office.rows("SELECT uid FROM work_item WHERE slug = :slug", slug=other)[0][0]
    faults = changed(office, lambda raw: raw("UPDATE work_item SET state = 'review' WHERE uid = ?", uid))
    assert len(faults) == 1
    assert f'{other}: state is "review", and this row left it "ready"' in faults[0]
    assert grove.dev.refuses("mindspace_book_transition", node_id=other, target_state="active").code == "conflict"


def test_a_refused_and_a_taken_over_item_agree_too(office: Office):
    agent, other, slug = office.agent(), office.agent("codex"), office.task()
    agent.move(slug, "active")
    agent.claim(slug)
    office.forward(hours=3)
    other.ask(TITLE)
    other.moves(slug, "active")
    assert told(office) == []
