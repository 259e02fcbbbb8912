"""Of what is forgotten, pruned or masked no export is left: not those kept for tokens, nor those that pages pass on."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bigmind.core.operation import Mode, Presence
from bigmind.paths import scratch_folder
from tests.memory.living import Memory, living
from tests.memory.rows import fact
from tests.memory.test_secrets_scan import TEXT
from tests.mindspace.grove import Grove
from tests.work.office import Office

Erasing = Callable[[], Any]


@pytest.fixture
def ada(tmp_path: Path) -> Iterator[Memory]:
    with living(tmp_path / "team" / "home", Mode.TEAM) as memory:
        yield memory


def in_window(memory: Memory) -> Memory:
    return replace(memory, caller=replace(memory.caller, is_person=True, presence=Presence.WINDOW))


def forget_fact(ada: Memory) -> Erasing:
    stored = ada("memory_store_fact", category="learning", fact="Otters use stones").fact.fact_id
    return lambda: in_window(ada)("memory_forget", id=stored)


def forget_session(ada: Memory) -> Erasing:
    session = ada("memory_start_session", project="otters").session_id
    ada("memory_append_chunk", session_id=session, content="Otters use stones", role="user", flag_reason="finding")
    return lambda: in_window(ada)("memory_forget", id=session)


def forget_thought(ada: Memory) -> Erasing:
    told = ada(
        "contribute_to_brain", prompt="Refunds over 500 EUR need an idempotency key, because the gateway repeats."
    )
    return lambda: in_window(ada)("memory_forget", id=told.trace.thought_id)


def forget_profile(ada: Memory) -> Erasing:
    ada("memory_update_profile", role="Keeper of otters")
    return lambda: in_window(ada)("memory_forget", id="profile")


def forget_item(ada: Memory) -> Erasing:
    office = Office(ada)
    office.task("Weigh the otter", slug="otter-1")
    [(uid,)] = office.rows("SELECT uid FROM work_item")
    return lambda: in_window(ada)("memory_forget", id=uid)


def delete_node(ada: Memory) -> Erasing:
    office = Office(ada)
    node = Grove(office).make("Weigh the otter", by=office.person)
    return lambda: in_window(ada)("mindspace_delete_node", node_id=node)


def prune(ada: Memory) -> Erasing:
    session = ada("memory_start_session", project="otters").session_id
    for words in ("Otters use stones", "Otters hold hands"):
        ada("memory_append_chunk", session_id=session, content=words, role="user", flag_reason="finding")
    ada.clock.forward(days=100)
    return lambda: in_window(ada)("memory_vacuum", days=90, all=True)


def mask(ada: Memory) -> Erasing:
    ada.insert(fact(ada.clock.now, TEXT, user_id=ada.caller.user_id))
    return lambda: in_window(ada)("secrets_scan", mask=True)


WAYS = (forget_fact, forget_session, forget_thought, forget_profile, forget_item, delete_node, prune, mask)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_no_export_is_left_of_what_is_erased(ada: Memory, way: Callable[[Memory], Erasing]) -> None:
    erase = way(ada)
    # Those of others too: an admin's export holds what all users have.
    made = [Path(each("memory_export").path) for each in (ada, ada.of("eve"))]
    for folder in ("export-1", "upload-1"):  # also what a process that was killed left
        place = scratch_folder(ada.mind.store.home) / folder
        place.mkdir(parents=True)
        (place / "memory.json").write_text("Otters use stones")
        made.append(place / "memory.json")
    assert all(each.exists() for each in made)
    erase()
    assert [each.name for each in made if each.exists()] == []
