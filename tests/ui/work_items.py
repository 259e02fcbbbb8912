"""A board as it looks in the midst of work: items of every state, made and moved by operations, as agents move them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bigmind.core.operation import Caller, Presence
from bigmind.wiring import Mind

AGENTS = ("claude-code", "codex", "cursor/reviewer")
TITLES = (
    ("Round refunds to the cent", "pay/refunds", "Refunds over 500 EUR are off by a cent in one of forty."),
    ("Retry the gateway with an idempotency key", "pay/refunds", "The gateway retries twice, and books both."),
    ("Move the staging reset to noon", "deploy/staging", "Migrations that are tried at night are gone by morning."),
    ("Render invoices in under 100 ms", "pay/invoices", "They take 900 ms; the fonts are loaded each time."),
    ("Export sessions as Parquet", "export", "The data team asks for it, once a night."),
    ("Arabic names in the address book", "people", "Right-to-left names are cut at the wrong end."),
    ("Rotate the vault's tokens", "security/vault", "Two of them are older than a year."),
    ("Traceback in the nightly importer", "import", "It ends at row 1,024 of the vendor's file."),
)
STORY = """It has to hold for **partial** refunds too.

- half even, as the bank does
- a test for 0.005
"""
CONTENT = """process: content
version: 1
title: Content
roles: [writer, editor]
first_role: writer
states:
  draft: {begins: true}
  writing: {claimed: true}
  review: {reviews: true}
  published: {final: true}
transitions:
  - {from: draft, to: writing, by: [own], gates: [memory_queried], label: Write}
  - {from: writing, to: review, by: [own], gates: [memory_contributed, {field: {name: text_ref}}], label: Hand in}
  - {from: review, to: draft, by: [editor, human], open: true, label: Send back}
  - {from: review, to: published, by: [editor, human], open: true, gates: [human_confirmed], label: Publish}
"""
SECOND = CONTENT.replace("version: 1", "version: 2").replace(", {field: {name: text_ref}}", "")
THIRD = SECOND.replace("version: 2", "version: 3").replace("gates: [memory_queried], ", "")
"""The same with one gate less, and with two."""

Run = Callable[..., Any]


def runner(mind: Mind, caller: Caller) -> Run:
    """Runs an operation by its name, for an agent or for the person in the app's window."""

    def run(name: str, *, by: str = "", **given: Any) -> Any:
        operation = mind.dispatcher.catalogue.get(name)
        assert operation is not None
        agent = replace(caller, client=by, is_person=False, presence=Presence.PROGRAM, connection=f"of {by}")
        person = replace(caller, client="window", is_person=True, presence=Presence.WINDOW)
        return mind.dispatcher.run(operation, agent if by else person, given)

    return run


def claimed(run: Run, title: str, by: str, slug: str, to: str = "active", **fields: Any) -> None:
    """Ask the brain, and claim."""
    run("query_brain", by=by, prompt=f"{title}: what is known?")
    moved = run("work_transition", by=by, slug=slug, to=to, fields=fields or None)
    assert moved.moved, moved.as_text()


def handed_over(run: Run, title: str, by: str, slug: str, to: str = "review", **fields: Any) -> None:
    """Contribute, and hand over."""
    learned = f"learned on 12 May that {len(title)} of the {len(slug) * 7} cases of {slug} differ, because of rounding."
    told = f"{title}: {learned}"
    run("contribute_to_brain", by=by, prompt=told, category="operational_learning", topic="work/done")
    moved = run("work_transition", by=by, slug=slug, to=to, fields=fields or None)
    assert moved.moved, moved.as_text()


def fill_work(mind: Mind, caller: Caller) -> dict[str, str]:
    """Thirty items; returns the slugs of some by what they show, and a document that drops gates."""
    run = runner(mind, caller)
    named: dict[str, str] = {"v3": THIRD}
    for number, (title, topic, story) in enumerate((*TITLES, *TITLES, *TITLES)):
        kind = ("task", "solo", "bug")[number // len(TITLES)]
        name = title if kind == "task" else f"{title} ({kind})"
        made = run(
            "work_create_task",
            title=name,
            type=kind,
            topic=topic,
            description=f"{story}\n\n{STORY}",
            project=("checkout-service", "platform-tools", None)[number % 3],
            slug=f"{kind}-{number}",
        )
        _lead(run, made.slug, name, kind, number)
        named[f"{kind}-{number}"] = made.slug
    run("work_edit_task", slug="task-7", depends_on=["task-6", "task-5", "task-4", "task-2"])
    run("work_take_process", text=CONTENT, replaces=0, agents_may_create=True)
    run("work_create_task", title="Announce the release", type="content")
    run("work_create_task", title="Explain the ledger", type="content")
    run("work_take_process", text=SECOND, replaces=1)
    return {**named, "review": "solo-9", "confirmed": "solo-10", "held": "solo-8"}


def _lead(run: Run, slug: str, title: str, kind: str, number: int) -> None:
    by = AGENTS[number % len(AGENTS)]
    if kind == "task":
        _lead_task(run, slug, title, number, by)
    elif kind == "solo" and number <= 12:
        claimed(run, title, by, slug)
        if number == 8:
            run("work_update_dna", by=by, slug=slug, fields={"branch": "refunds", "tries": [1, 2, 3]})
            return
        handed_over(run, title, by, slug, abstract_ref="docs/abstract.md")
        if number in {9, 10}:
            run("work_confirm", slug=slug, revision=run("work_get_task", slug=slug).revision, note="Looks right")
        if number == 9:
            run(
                "work_update_dna",
                by=by,
                slug=slug,
                fields={"abstract_ref": "docs/refunds/abstract.md", "tests": "41 passed"},
            )
        if number == 11:
            run("work_move", slug=slug, to="complete", revision=run("work_get_task", slug=slug).revision)
        if number == 12:
            revision = run("work_get_task", slug=slug).revision
            run("work_move", slug=slug, to="rework", revision=revision, reason="The test for 0.005 is missing")
    elif kind == "solo" and number == 13:
        fields = {"blocked_reason": "The vendor has to answer first"}
        revision = run("work_get_task", slug=slug).revision
        run("work_move", slug=slug, to="blocked", revision=revision, fields=fields)


def _lead_task(run: Run, slug: str, title: str, number: int, by: str) -> None:
    if number < 6:
        assert run("work_transition", by=by, slug=slug, to="ready", role="pdsa").moved
    if number < 4:
        run("work_transition", by=by, slug=slug, to="active", role="pdsa")  # refused: nothing was asked
        claimed(run, title, by, slug)
    if number < 2:
        handed_over(run, title, by, slug, to="approval", pdsa_ref="docs/design.md")
