"""A month of three clients: with hooks and without, with questions and without, by the rules and past them."""

import random
from dataclasses import dataclass, replace
from pathlib import Path

from bigmind.core.operation import Presence
from tests.protocol.workshop import Runner, Workshop
from tests.work.office import Worker

CLIENTS = ("claude-code", "codex", "cursor/reviewer")
DAYS = 31


@dataclass(frozen=True)
class Month:
    """What was recorded."""

    workshop: Workshop
    home: Path


def record(workshop: Workshop, dice: random.Random) -> None:
    """Live through the month."""
    office = workshop.office
    places = [workshop.place(), workshop.place()]
    for day in range(DAYS):
        for number, client in enumerate(CLIENTS):
            if dice.random() < 0.3:
                continue
            place = places[number % 2]
            agent = Worker(office.memory.over(f"{client} {day}", client))
            conversation(agent, dice, f"{client} works on day {day}")
            if dice.random() < 0.4:
                item(workshop, agent, dice, f"Round refunds of day {day} by {number}")
            if dice.random() < 0.3:
                runner = Runner(agent, place)
                runner.begin(f"Objective of day {day} by {client}")
                runner("advance_phase", target_phase="WORKING", force=dice.random() < 0.5)
                if dice.random() < 0.5:
                    runner.read_handoff()
                runner("session_end", summary=f"Day {day} is done by {client}.")
            if dice.random() < 0.2:
                place.write(f"src/day{day}{number}.py", f"day = {day}\n")
                place.commit(f"Day {day} of {number}")
            office.forward(hours=dice.randrange(1, 4))
        office.forward(hours=dice.randrange(8, 14))


def conversation(agent: Worker, dice: random.Random, about: str) -> None:
    if dice.random() < 0.7:
        agent("memory_start_session", project="pay", topics=["refunds"])
    for _ in range(dice.randrange(3)):
        agent(
            "memory_flag_important", content=f"{about}: {'it was seen to round half to even. ' * 40}", flag_reason="x"
        )
    if dice.random() < 0.6:
        agent("query_brain", prompt=f"What is known when {about}?")
    if dice.random() < 0.4:
        agent.learn()
    if dice.random() < 0.8:
        agent("memory_end_session", one_liner=about, topics=["refunds"], outcome="Done", summary=about)


def item(workshop: Workshop, agent: Worker, dice: random.Random, title: str) -> None:
    slug = workshop.office.agent("planner")("work_create_task", title=title, type="solo").slug
    if dice.random() < 0.5:
        agent.move(slug, "active")
    agent.ask(title)
    agent.moves(slug, "active")
    if dice.random() < 0.5:
        agent.move(slug, "review")
    agent.learn(f"{title}: banks round half to even, in {dice.randrange(10**6)} of {dice.randrange(10**6)} ledgers.")
    agent.move(slug, "review")
    if dice.random() < 0.5:
        person = workshop.office.person
        place = Presence.PASSPHRASE if dice.random() < 0.5 else Presence.WINDOW
        person = Worker(replace(person.memory, caller=replace(person.memory.caller, presence=place)))
        row = workshop.office.item(slug)
        if row.context.state == "review":
            person("work_confirm", slug=slug, revision=row.revision)
