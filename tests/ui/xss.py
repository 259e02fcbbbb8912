"""Stored text that would like to be more than text: put into every field, and the trap that hears and finds it.

The trap works in any page that Playwright drives: Chromium, and the window of the app over its debugging port.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote, urlencode

from playwright.sync_api import ConsoleMessage, Page, Request

from bigmind.brain.tables import (
    BrainQuery,
    BrainQuerySource,
    BrainSession,
    Thought,
    ThoughtLink,
    ThoughtReader,
    ThoughtUse,
)
from bigmind.core.clock import system_clock
from bigmind.core.events import Action, Kind
from bigmind.core.ids import new_id
from bigmind.core.plain_text import clean, visible
from bigmind.memory.tables import (
    Chunk,
    Fact,
    FactEvent,
    Hypothesis,
    Knowledge,
    MemorySession,
    Profile,
    SessionSummary,
    SessionTopic,
)
from bigmind.people.tables import Token
from bigmind.store.work import Work
from bigmind.work.in_person.confirmations import write_yes
from bigmind.work.ledger.ledger_rows import Entry, append
from bigmind.work.tables import WorkDependency, WorkFieldValue, WorkItem
from tests.thorough import spread
from tests.ui import xss_strings

STRINGS = tuple(dict.fromkeys(clean(text) for text in xss_strings.STRINGS))
"""As the boundary lets them in."""
UNSEEN = tuple(text for text in STRINGS if visible(text) != text)
"""Those that hold what nobody sees: bidirectional overrides and isolates, tag characters, escape sequences."""
PLANTED = tuple(dict.fromkeys([*spread(STRINGS, 90), *UNSEEN]))
"""Those that are put into every field: all in a thorough run."""

TRAP = Path(__file__).with_name("trap.js")
FOUND_BY = "zebra"
"""Stands in every text, so that a search finds them all."""
AT_ONCE = 30
REFUSED = re.compile(r"responded with a status of 4|Response Status Error Code 4")
"""What the browser and htmx log of a refusal."""
SERVER_FAULT = 500
STATUSES = ("open", "confirmed", "refuted", "abandoned")
AREAS = ("architecture", "standard", "decision", "pattern", "glossary")
ACTIONS = ("stored", "confirmed", "contradicted", "deprecated", "replaced", "accepted")


class Planted(Protocol):
    """A text for the next field of a row."""

    def __call__(self) -> str: ...


def batches(strings: Sequence[str], size: int = AT_ONCE) -> Iterator[list[str]]:
    """The strings, so many at a time."""
    left = iter(strings)
    while batch := list(islice(left, size)):
        yield batch


def plant(work: Work, strings: Sequence[str] = PLANTED) -> list[str]:
    """Put every string into every field that a page shows; returns the ids of sessions that hold many each."""
    now = system_clock()
    for number, text in enumerate(strings):
        at = now - timedelta(minutes=number)
        texts = _turned(strings, number)
        _session(work, texts, at)
        _fact(work, texts, number, at)
        _hypothesis(work, texts, number, at)
        _entry(work, texts, number, at)
        _thought(work, texts, number, at)
        _item(work, texts, number, at)
        work.session.add(
            Token(uid=new_id(), user_id=work.caller.user_id, client=text, kind="client", digest=new_id(), created_at=at)
        )
    full = [_full_session(work, batch, now) for batch in batches(strings)]
    _profile(work, strings, now)
    work.changed(Kind.SESSION, "planted", Action.CREATED)
    return full


def _turned(strings: Sequence[str], number: int) -> Planted:
    """Text after text from the row's own on: each row differs from the next, each field sees each string."""
    turn = cycle([*strings[number:], *strings[:number]])
    return lambda: f"{next(turn)} {FOUND_BY}"


def _session(work: Work, texts: Planted, at: datetime) -> None:
    session = MemorySession(uid=new_id(), user_id=work.caller.user_id, started_at=at, ended_at=at, updated_at=at)
    session.one_liner, session.outcome, session.project, session.client = texts(), texts(), texts(), texts()
    session.told, session.caution = session.outcome, "override"
    work.session.add(session)
    work.session.flush()
    work.session.add(SessionTopic(session_id=session.id or 0, topic=texts().lower(), position=0))


def _full_session(work: Work, batch: list[str], at: datetime) -> str:
    session = MemorySession(uid=new_id(), user_id=work.caller.user_id, started_at=at, ended_at=at, updated_at=at)
    session.one_liner, session.outcome, session.client, session.has_detail = (
        batch[0],
        "\n\n".join(batch),
        batch[1],
        True,
    )
    session.project = batch[2]
    work.session.add(session)
    work.session.flush()
    for position, text in enumerate(dict.fromkeys(each.lower() for each in batch)):
        work.session.add(SessionTopic(session_id=session.id or 0, topic=text, position=position))
    summary = SessionSummary(session_id=session.id or 0, summary="\n\n".join(batch), created_at=at)
    summary.key_facts, summary.code_refs = batch, [*batch, *(f"src/{each}:12" for each in batch)]
    work.session.add(summary)
    for seq, text in enumerate(batch, 1):
        chunk = Chunk(uid=new_id(), user_id=work.caller.user_id, session_id=session.id or 0, seq=seq, created_at=at)
        chunk.role, chunk.client, chunk.project = ("user", "assistant", text)[seq % 3], text, text
        chunk.content = f"{FOUND_BY} {text}" if seq % 7 else f"{text}\n{'x' * 2_500}\n{text}"
        chunk.flag_reason, chunk.caution = text, "override" if seq % 2 else ""
        work.session.add(chunk)
    for text in batch[:5]:
        born = Fact(uid=new_id(), user_id=work.caller.user_id, client=text, category=text, text=text, confidence=0.5)
        born.created_at, born.updated_at, born.session_id = at, at, session.id
        work.session.add(born)
    return session.uid


def _fact(work: Work, texts: Planted, number: int, at: datetime) -> None:
    fact = Fact(uid=new_id(), user_id=work.caller.user_id, confidence=0.5, created_at=at, updated_at=at)
    fact.text, fact.category, fact.client, fact.project = texts(), texts(), texts(), texts()
    fact.caution = "override" if number % 3 == 0 else ""
    if number % 2:
        fact.deprecated_at, fact.deprecation_reason = at, texts()
    work.session.add(fact)
    work.session.flush()
    event = FactEvent(fact_id=fact.id or 0, at=at, confidence=0.5, action=ACTIONS[number % len(ACTIONS)])
    event.client, event.reason = texts(), texts()
    work.session.add(event)


def _hypothesis(work: Work, texts: Planted, number: int, at: datetime) -> None:
    belief = Hypothesis(uid=new_id(), user_id=work.caller.user_id, confidence=0.5, created_at=at, updated_at=at)
    belief.text, belief.client, belief.project = texts(), texts(), texts()
    belief.status, belief.caution = STATUSES[number % 4], "override" if number % 3 == 0 else ""
    if belief.status != "open":
        belief.resolution, belief.resolved_at = texts(), at
    work.session.add(belief)


def _entry(work: Work, texts: Planted, number: int, at: datetime) -> None:
    entry = Knowledge(uid=new_id(), promoted_by_id=work.caller.user_id, created_at=at, updated_at=at)
    entry.category, entry.status = AREAS[number % 5], ("approved", "pending", "deprecated")[number % 3]
    entry.title, entry.content, entry.client, entry.project = texts(), texts(), texts(), texts()
    entry.review_notes, entry.caution = texts(), "override" if number % 4 == 0 else ""
    work.session.add(entry)


def _thought(work: Work, texts: Planted, number: int, at: datetime) -> None:
    """A thought that rests on the one before, and the question that it answered."""
    thought = Thought(uid=new_id(), user_id=work.caller.user_id, created_at=at, updated_at=at, space="shared")
    thought.content, thought.topic, thought.client, thought.agent_name = texts(), texts(), texts()[:120], texts()
    thought.source_type, thought.source_value, thought.source_project = "url", texts(), texts()
    thought.alternatives, thought.corrected_fact, thought.correct_fact = texts(), texts(), texts()
    thought.context, thought.tags, thought.project, thought.flags = texts(), [texts()], texts(), ["stale", texts()]
    thought.category, thought.temporal_scope = texts()[:30], "2026-03-30"
    thought.caution, thought.noise_at = "override" if number % 3 == 0 else "", at if number % 5 == 0 else None
    work.session.add(thought)
    chain = BrainSession(uid=f"q-{new_id()[:12]}", user_id=work.caller.user_id, client=texts()[:120], started_at=at)
    chain.last_used_at = at
    work.session.add(chain)
    work.session.flush()
    key = thought.id or 0
    work.session.add(ThoughtUse(thought_id=key, weighed_at=at, reads=9, last_read_at=at))
    for client in (texts()[:120], "second"):
        work.session.add(ThoughtReader(thought_id=key, user_id=thought.user_id, client=client, last_read_at=at))
    if number % 4 == 1 and key > 1:
        work.session.add(ThoughtLink(thought_id=key, other_id=key - 1, relation="refines"))
    asked = BrainQuery(uid=new_id(), user_id=thought.user_id, session_id=chain.id or 0, created_at=at)
    asked.client, asked.operation, asked.outcome = texts()[:120], "query_brain", "answered"
    asked.text, asked.returned = texts(), 1
    work.session.add(asked)
    work.session.flush()
    work.session.add(BrainQuerySource(query_id=asked.id or 0, thought_id=key, place=1, similarity=0.9))


def _item(work: Work, texts: Planted, number: int, at: datetime) -> None:
    """An item of work, with its DNA, the history of that, a row of the ledger and a note."""
    item = WorkItem(uid=new_id(), slug=f"item-{number}", user_id=work.caller.user_id, created_at=at, updated_at=at)
    item.title, item.topic, item.description, item.project = texts()[:200], texts()[:200], texts(), texts()[:200]
    item.client, item.holder, item.worked_by = texts()[:120], texts()[:250] if number % 2 else "", texts()[:250]
    item.process, item.role, item.entered_at = "solo", "dev", at
    item.state = ("pending", "active", "review", "blocked")[number % 4]
    item.dna, item.caution = json.dumps({"note": texts(), "told": [texts()]}), "override" if number % 5 == 0 else ""
    work.session.add(item)
    work.session.flush()
    key = item.id or 0
    for value in (texts(), texts()):
        changed = WorkFieldValue(item_id=key, name="note", at=at, client=texts()[:120], value=json.dumps(value))
        work.session.add(changed)
    if key > 1:
        work.session.add(WorkDependency(item_id=key, other_id=key - 1))
    body = {"actor": "agent", "client": texts(), "from": texts(), "to": texts(), "role": texts(), "gates": []}
    append(work, Entry("moved", item.uid, body, {"reason": texts()}), item)
    if item.state == "review":
        words = {"title": texts(), "topic": texts(), "description": texts(), "dna": json.dumps({"note": texts()})}
        write_yes(work, item, 0, texts(), words)


def _profile(work: Work, strings: Sequence[str], now: datetime) -> None:
    profile = Profile(user_id=work.caller.user_id, role="\n".join(strings), updated_at=now, caution="override")
    profile.preferences, profile.pinned_facts = "\n\n".join(strings), list(strings)
    work.session.add(profile)


@dataclass
class Trap:
    """What stored text did in a browser's page, and what it became there."""

    page: Page
    sprung: list[str] = field(default_factory=list)
    unseen: set[str] = field(default_factory=lambda: set(PLANTED))

    def set(self) -> None:
        """Put it into every page that is opened from now on."""
        self.page.add_init_script(path=TRAP)
        self.page.on("request", self._judge)
        self.page.on("dialog", lambda dialog: self.sprung.append(f"dialog: {dialog.message}"))
        self.page.on("pageerror", lambda error: self.sprung.append(f"error: {error}"))
        self.page.on("console", lambda said: self.sprung.append(said.text) if _is_fault(said) else None)

    def found(self) -> str:
        """What there was since this was asked last, a line each."""
        found = "\n".join(dict.fromkeys(self.sprung))
        self.sprung.clear()
        return found

    def visit(self, address: str, *, to_its_end: bool = True) -> None:
        """Open a page, load all of what it lists, have it bring itself up to date, and look."""
        answer = self.page.goto(address)
        assert answer is not None
        assert answer.status < SERVER_FAULT, address
        self.page.locator("#connection[data-state=live]").wait_for()
        while to_its_end and (more := self.page.locator("#load-more, [data-loads]")).count():
            rows = self.page.locator("[data-row]").count()
            more.first.click()
            self.page.wait_for_function("rows => document.querySelectorAll('[data-row]').length > rows", arg=rows)
        self.page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
        with self.page.expect_response(lambda response: response.request.resource_type == "xhr"):
            self.page.evaluate("htmx.trigger('#live', 'refresh')")
        self.look()

    def look(self) -> None:
        """Find what is on the page that is open; notes the strings that stand there as text."""
        self.sprung += self.page.evaluate("[...springs.sprung.splice(0), ...springs.inspect(document)]")
        shown = " ".join(self.page.evaluate("document.body.textContent").split())
        self.unseen -= {each for each in self.unseen if " ".join(visible(each).split()) in shown}

    def fetch(self, addresses: Sequence[str], options: dict[str, Any] | None = None) -> None:
        """Find what is in those pages as they come."""
        self.sprung += self.page.evaluate(
            "([addresses, options]) => springs.fetched(addresses, options)", [list(addresses), options or {}]
        )

    def act(self, operation: str, **fields: str) -> None:
        """Do something by a form, and find what is in its answer."""
        self.post(f"/actions/{quote(operation, safe='')}", **fields)

    def post(self, address: str, **fields: str) -> None:
        """Send a form as the page does, and find what is in the answer."""
        headers = {
            "HX-Request": "true",
            "Content-Type": "application/x-www-form-urlencoded",
            **self.page.evaluate("JSON.parse(document.body.getAttribute('hx-headers'))"),
        }
        self.fetch([address], {address: {"method": "POST", "headers": headers, "body": urlencode(fields)}})

    def _judge(self, request: Request) -> None:
        # Only `springs.fetched` fetches: the pages' own requests are XMLHttpRequests.
        is_ours = request.resource_type == "fetch"
        path = request.url.partition("?")[0].partition("//")[2].partition("/")[2]
        is_within = request.url.startswith(("http://127.0.0.1:", "data:image/svg+xml"))
        if not is_ours and ("canary" in path.lower() or not is_within):
            self.sprung.append(f"asked for {request.url[:200]}")


def _is_fault(said: ConsoleMessage) -> bool:
    """Refusals are what evil requests are answered with; only a fault of the server's own is one."""
    return said.type == "error" and not REFUSED.search(said.text)
