"""The honest path is short and never a dead end, whatever happens between its steps."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from bigmind.wiring import open_mind
from tests.thorough import often
from tests.work.honest import Honest
from tests.work.office import Office, office_in

TITLES = ("Round refunds to the cent", "Rotate the signing keys", "Drop the stale sessions", "Print the tariff sheet")
RUNS = often(200, 24)


def restart(office: Office, dice: random.Random) -> None:
    """The process ends, and another one opens the store."""
    del dice
    home, clock = office.memory.mind.store.path.parent, office.memory.clock
    office.memory.mind.close()
    office.memory.mind = open_mind(home, "ada", clock)


def wait(office: Office, dice: random.Random) -> None:
    """Long work: a question is too old by then, and perhaps the lease ran out."""
    office.forward(minutes=dice.choice((30, 61, 119, 121, 600)))


def repeat(office: Office, dice: random.Random) -> None:
    """Others say much of the same."""
    title = dice.choice(TITLES)
    for _ in range(2):
        office.agent("codex")("contribute_to_brain", prompt=f"{title}: the ledger of branch 3 differs in 12 cases.")


def describe(office: Office, dice: random.Random) -> None:
    """The planner describes anew what nobody holds."""
    for slug, holder in office.rows("SELECT slug, holder FROM work_item WHERE state IN ('pending', 'ready', 'rework')"):
        if not holder and dice.random() < 0.5:
            office.agent("planner")("work_edit_task", slug=slug, description=f"Anew, {dice.random()}.")


def calm(office: Office, dice: random.Random) -> None:
    """Nothing happens."""
    del office, dice


MISHAPS: tuple[Callable[[Office, random.Random], None], ...] = (restart, wait, wait, repeat, describe, calm, calm)


@pytest.mark.parametrize("seed", range(RUNS // 8))
def test_each_refusals_own_advice_mends_it_with_one_call(home: Path, seed: int):
    dice = random.Random(seed)
    with office_in(home) as office:
        for number in range(8):
            connection = dice.choice(("same", "same", None))
            worker = office.agent(f"agent-{number}", connection=connection)
            agent = Honest(office, worker, dice)
            slug = office.task(dice.choice(TITLES))
            for to in ("active", "review"):
                dice.choice(MISHAPS)(office, dice)
                worker.memory.mind = office.memory.mind
                assert agent.move(slug, to).moved
            if dice.random() < 0.4:
                office.person.moves(slug, "rework", revision=office.item(slug).revision)
                agent.fields = {}
                for to in ("active", "review"):
                    dice.choice(MISHAPS)(office, dice)
                    worker.memory.mind = office.memory.mind
                    assert agent.move(slug, to).moved
            office.yes(slug)
            assert office.state(slug) == "complete"


def test_after_a_restore_it_goes_on_with_one_call_more(office: Office):
    """What was asked and contributed since the backup is gone, and the refusal says so."""
    worker, slug = office.agent(), office.task()
    agent = Honest(office, worker, random.Random(1))
    assert agent.move(slug, "active").moved
    backup = office.person("backup_create").name
    agent.call("contribute_to_brain", prompt=f"{TITLES[0]}: {agent.insight()}")
    office.person("backup_restore", backup=backup)
    office.forward(minutes=1)
    told = worker.stays(slug, "review")
    assert "A backup was restored" in told
    agent.advised = 0
    assert agent.move(slug, "review").moved
    assert agent.advised == 1


@pytest.mark.parametrize(("process", "most"), [("solo", 5), ("bug", 5), ("task", 5)])
def test_from_next_to_handing_over_it_takes_five_calls_at_most(office: Office, process: str, most: int):
    slug = office.task(type=process)
    if process != "solo":
        office.agent("planner").moves(slug, "ready", role="pdsa")
    agent = Honest(office, office.agent(), random.Random(1))
    item = agent.call("work_next").item
    assert item.slug == slug
    agent.follow(f'query_brain(prompt="{item.title}")')
    to = "approval" if process == "task" else "review"
    agent.fields = {"pdsa_ref": "docs/design.md"} if process == "task" else {}
    assert agent.move(slug, "active").moved
    agent.follow(f'contribute_to_brain(prompt="{item.title}: …")')
    assert agent.move(slug, to).moved
    assert agent.calls <= most
