"""What the board counts is what there is, at each load: whoever changed it, and however it is narrowed down."""

import re
from collections import Counter
from collections.abc import Iterator

import httpx
import pytest
from sqlmodel import select

from bigmind.core.events import Action
from bigmind.tasks.board import BoardQuery, board, choices
from bigmind.work.items import items_by_state
from bigmind.work.tables import WorkItem
from tests.ui.serving import Running, opened, serving
from tests.ui.work_items import Run, claimed, fill_work, runner
from ui.show.work_cards import drawn


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Items of four processes, two of them in an older version, that no test changes."""
    with opened(tmp_path_factory.mktemp("full") / "home") as memory:
        fill_work(*memory)
        with serving(*memory) as running:
            yield running


@pytest.mark.parametrize("role", ["", "dev", "liaison", "nobody's"])
@pytest.mark.parametrize("project", ["", "checkout-service", "nowhere"])
@pytest.mark.parametrize("process", ["task", "solo", "bug", "content"])
def test_a_column_counts_and_shows_what_the_rows_say(full: Running, process: str, role: str, project: str) -> None:
    with full.mind.store.read(full.caller, "test") as work:
        items = list(work.session.exec(select(WorkItem)))
        found = [each for each in items if each.process == process]
        found = [each for each in found if role in {"", each.role} and project in {"", each.project}]
        columns = board(work, BoardQuery(process, role, project), {}, len(items))
        assert {each.name: each.total for each in columns if each.total} == Counter(each.state for each in found)
        newest = sorted(found, key=lambda each: (each.updated_at, each.id), reverse=True)
        for column in columns:
            assert [each.uid for each in column.cards] == [each.uid for each in newest if each.state == column.name]
        shown = {known.name: count for known, count in choices(work).processes}
        assert shown == {name: sum(each.process == name for each in items) for name in shown}


def counts(page: str) -> dict[str, int]:
    """What the page counts: open items in the navigation, all in the filter, and each column."""
    columns = re.findall(r'id="column-(\w+)-title">[^<]*<span class="count">(\d+)<', page)
    open_work = re.search(r'id="nav-work"[^\n]*?<span class="count">(\d+)</span></a>', page)
    of_process = re.search(r"<option[^>]* selected>[^<]*\((\d+)\)</option>", page)
    assert open_work is not None
    assert of_process is not None
    return {"open": int(open_work[1]), "process": int(of_process[1]), **{name: int(number) for name, number in columns}}


def test_what_somebody_else_changed_is_counted_at_the_next_load(server: Running, client: httpx.Client) -> None:
    run: Run = runner(server.mind, server.caller)
    for title in ("Round refunds", "Rotate the keys", "Drop stale sessions"):
        run("work_create_task", title=title, type="solo", slug=title.split()[-1])
    before = counts(client.get("/work?process=solo").text)
    assert (before["open"], before["process"], before["pending"]) == (3, 3, 3)
    claimed(run, "Rotate the keys", "cursor", "keys")
    moved = counts(client.get("/work?process=solo").text)
    assert moved == {**before, "pending": 2, "active": 1}
    run("work_move", slug="refunds", to="cancelled", revision=1, reason="Done elsewhere")
    assert counts(client.get("/work?process=solo").text) == {**moved, "open": 2, "pending": 1, "cancelled": 1}
    # What comes past every operation is not noted as a change; it is counted all the same.
    with server.mind.store.write(server.caller, "test") as work:
        work.session.connection().exec_driver_sql("DELETE FROM work_item WHERE slug = 'sessions'")
    assert counts(client.get("/work?process=solo").text) == {
        **moved,
        "open": 1,
        "process": 2,
        "pending": 0,
        "cancelled": 1,
    }


def test_a_card_is_drawn_anew_when_anything_of_it_changed(server: Running, client: httpx.Client) -> None:
    run: Run = runner(server.mind, server.caller)
    slug = run("work_create_task", title="Round refunds", type="solo").slug
    run("work_create_task", title="Rotate the keys", type="solo", depends_on=[slug])
    assert client.get("/work").text == client.get("/work").text
    assert "waits for round-refunds" in client.get("/work").text
    run("work_edit_task", slug=slug, title="Round half even")
    page = client.get("/work").text
    assert "Round half even" in page
    assert ">Round refunds<" not in page
    claimed(run, "Round half even", "cursor", slug)
    page = client.get("/work").text
    assert '<span class="held">cursor' in page
    assert "a contribution" in page
    run("work_move", slug="rotate-the-keys", to="cancelled", revision=1)
    assert "waits for" not in client.get("/work").text.partition('id="column-pending"')[2].partition("</section>")[0]


def test_nothing_of_a_card_is_kept_when_its_item_is_forgotten(server: Running, client: httpx.Client) -> None:
    run: Run = runner(server.mind, server.caller)
    uid = run("work_create_task", title="Walruses sleep in water", type="solo").uid
    assert "Walruses sleep in water" in client.get("/work").text
    assert drawn.cache_info().currsize > 0
    run("memory_forget", id=uid, confirm=True)
    assert drawn.cache_info().currsize == 0
    assert "Walruses" not in client.get("/work").text


def test_within_a_unit_of_work_it_is_counted_anew_after_a_change(full: Running) -> None:
    with full.mind.store.write(full.caller, "test") as work:
        before = items_by_state(work)
        item = work.session.exec(select(WorkItem).where(WorkItem.slug == "task-7")).one()
        was, item.state = item.state, "cancelled"
        work.session.flush()
        work.changed("work_item", item.uid, Action.UPDATED)
        after = items_by_state(work)
        assert after["task", was] == before["task", was] - 1
        assert after["task", "cancelled"] == before.get(("task", "cancelled"), 0) + 1
        work.session.rollback()
    with full.mind.store.read(full.caller, "test") as work:
        assert items_by_state(work) == before
