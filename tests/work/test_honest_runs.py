"""The honest path is short and never a dead end, whatever happens between its steps."""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from app.meaning_search import MeaningSearch
from bigmind.embedding.models import DEFAULT
from bigmind.wiring import open_mind
from tests.thorough import THOROUGH, often
from tests.work.honest import Honest, StuckError
from tests.work.office import Office, office_in

TITLES = ("Round refunds to the cent", "Rotate the signing keys", "Drop the stale sessions", "Print the tariff sheet")
RUNS = often(200, 24)
OF_A_STORE = 8
NEXT = {"pending": "active", "rework": "active", "active": "review"}
MOST_TRIES = 20
"""Moves until an item is handed over: each mishap may cost some."""


@dataclass
class Run:
    """One item on its way, with the backup that was made when it was new, and whoever is at it now.

    Attributes:
        meaning: finds things by meaning, in a run that has a model.
    """

    office: Office
    dice: random.Random
    slug: str
    agent: Honest
    backup: str = ""
    meaning: MeaningSearch | None = None

    def until_review(self) -> None:
        """Move it on, whatever happens between; nobody is stuck, or loses it without being told to whom."""
        for _ in range(MOST_TRIES):
            self.dice.choice(MISHAPS)(self)
            state = self.office.state(self.slug)
            if state == "review":
                return
            self.agent.worker.memory.mind = self.office.memory.mind
            answer = self.agent.move(self.slug, NEXT[state])
            assert answer.moved, answer.in_words()
        raise StuckError(f"{self.slug} is {self.office.state(self.slug)} after {MOST_TRIES} moves")


def restart(run: Run) -> None:
    """The process ends, and another one opens the store."""
    memory = run.office.memory
    home, had = memory.mind.store.path.parent, run.meaning
    leave_meaning(run)
    memory.mind.close()
    memory.mind = open_mind(home, "ada", memory.clock)
    if had is not None:
        run.meaning = found_by_meaning(run.office)


def wait(run: Run) -> None:
    """Long work: a question is too old by then, and perhaps the lease ran out."""
    run.office.forward(minutes=run.dice.choice((30, 61, 119, 121, 600)))


def lapse(run: Run) -> None:
    """The lease runs out, and another takes the item over; who had it is told so, and stays away."""
    if run.office.state(run.slug) != "active":
        return
    run.office.forward(hours=3)
    other = Honest(run.office, run.office.agent(f"heir-{run.dice.random()}"), run.dice)
    assert other.move(run.slug, "active").moved
    run.agent.worker.memory.mind = run.office.memory.mind
    assert f"{other.worker.name} holds it" in run.agent.worker.stays(run.slug, "review")
    run.agent = other


def restore(run: Run) -> None:
    """A backup takes the place of the store: what was asked, contributed and moved since is gone."""
    if run.backup:
        run.office.forward(minutes=1)
        run.office.person("backup_restore", backup=run.backup)


def repeat(run: Run) -> None:
    """Others say much of the same."""
    title = run.dice.choice(TITLES)
    for _ in range(2):
        run.office.agent("codex")("contribute_to_brain", prompt=f"{title}: the ledger of branch 3 differs in 12 cases.")


def change_model(run: Run) -> None:
    """Things are found by another model, or by words alone."""
    models = ("none", DEFAULT) if run.meaning is not None else ("none",)
    run.office.person("memory_use_model", model=run.dice.choice(models))


def describe(run: Run) -> None:
    """The planner describes anew what nobody holds."""
    rows = run.office.rows("SELECT slug, holder FROM work_item WHERE state IN ('pending', 'ready', 'rework')")
    for slug, holder in rows:
        if not holder and run.dice.random() < 0.5:
            run.office.agent("planner")("work_edit_task", slug=slug, description=f"Anew, {run.dice.random()}.")


def calm(run: Run) -> None:
    """Nothing happens."""
    del run


MISHAPS: tuple[Callable[[Run], None], ...] = (
    *(restart, wait, wait, repeat, describe, lapse, restore, change_model),
    *(calm, calm, calm),
)


def found_by_meaning(office: Office) -> MeaningSearch:
    """Have the store find things by the model that comes with BigMind."""
    store = office.memory.mind.store
    meaning = MeaningSearch(store)
    store.host = replace(store.host, meaning=meaning.meaning)
    return meaning


def leave_meaning(run: Run) -> None:
    if run.meaning is not None:
        run.meaning.stop()
        run.meaning = None


@pytest.mark.parametrize("seed", range(RUNS // OF_A_STORE))
def test_each_refusals_own_advice_mends_it_with_one_call(home: Path, seed: int):
    """Every fifth thorough run with the model that BigMind comes with."""
    dice = random.Random(seed)
    with office_in(home) as office:
        meaning = found_by_meaning(office) if THOROUGH and seed % 5 == 0 else None
        for number in range(OF_A_STORE):
            worker = office.agent(f"agent-{number}", connection=dice.choice(("same", "same", None)))
            run = Run(office, dice, office.task(dice.choice(TITLES)), Honest(office, worker, dice), meaning=meaning)
            if dice.random() < often(50, 20) / 100:
                run.backup = office.person("backup_create").name
            run.until_review()
            if dice.random() < 0.4:
                run.backup = ""
                office.person.moves(run.slug, "rework", revision=office.item(run.slug).revision)
                run.agent.fields = {}
                run.until_review()
            office.yes(run.slug)
            assert office.state(run.slug) == "complete"
            assert office.person("work_verify").faults == []
            meaning = run.meaning
        if meaning is not None:
            meaning.stop()


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
