"""An item as people see it: whole, with where it stands, what led there, and what each step rested on."""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import col, select

from bigmind.brain.tables import BrainQuery, Thought
from bigmind.caution.detect import pending
from bigmind.flow.hash_chain import Row
from bigmind.flow.workflow import ActorKind, Process
from bigmind.kinds import readable
from bigmind.people.agent_names import AgentNames, shown_agent
from bigmind.store.work import Work
from bigmind.tasks.ledger_listing import act_in_words, actor_in_words
from bigmind.tasks.next_steps import Step, steps
from bigmind.work.holding.lease import lease_end
from bigmind.work.in_person.confirmations import (
    ConfirmedItem,
    asks,
    confirmations,
    confirmed_items,
    count_waiting,
    last_yes,
    standing,
    waiting_items,
)
from bigmind.work.items import dependents, depends_on, fields_of, item_named
from bigmind.work.ledger.ledger_rows import agrees, rows, texts_of
from bigmind.work.processes import process_of
from bigmind.work.rules import MEMORY_FIELDS
from bigmind.work.tables import WorkConfirmation, WorkFieldValue, WorkItem

MOST_ROWS = 200
"""Rows of the ledger that a page shows, the newest; the rest are counted."""
MOST_NEIGHBOURS = 100
MOST_MOVES = 8
EVIDENCE = ("thought", "question")


@dataclass(frozen=True, slots=True)
class FieldRecord:
    """A field of the DNA: as text (JSON where it is none), and what it was before, the newest first."""

    name: str
    value: str
    is_text: bool
    is_memory: bool
    history: Sequence[WorkFieldValue]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A question or a thought that a move rested on.

    Attributes:
        kind: `question` or `thought`.
        uid: its id.
        text: its words; empty where they are forgotten, or not one's own.
        titled: the title that the item had when it counted, where it has another now.
    """

    kind: str
    uid: str
    text: str
    titled: str = ""


@dataclass(frozen=True, slots=True)
class LedgerRecord:
    """A row of an item's ledger: who did what when, by which way, why, and on what it rested.

    `surface` is the way, and `process` names the document that decided, in its version; empty where none did.
    """

    number: int
    at: datetime
    kind: str
    by: str
    surface: str
    process: str
    told: str
    reason: str
    met: Sequence[str]
    unmet: Sequence[str]
    violations: Sequence[str]
    evidence: Sequence[Evidence]
    digest: str


@dataclass(frozen=True, slots=True)
class Review:
    """A judgment of what was handed over: by whom, in which role, and where it led."""

    by: str
    role: str
    target: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ItemRecord:
    """An item, whole.

    Attributes:
        row: of the store.
        process: in the version that it stands in.
        holder: as people read it.
        lease_until: when the lease runs out, unless its holder calls until then.
        is_lapsed: whether the lease has run out.
        worked_by: who held it when the work was handed over last.
        client: who made it.
        caution: what in it waits to be accepted.
        fields: its DNA.
        depends_on, dependents: what it waits for, and what waits for it.
        steps: what leads on from here.
        ledger: the newest first; `older` rows are not shown.
        thoughts: that it rests on, the newest first; and questions that counted while it had another title.
        reviews: since it was claimed last.
        yes: that holds for it as it is.
        confirmations: all that were given.
        before: as a person confirmed it last.
        asks: whether a person's yes opens a way on from here.
        agrees: whether it stands as the ledger says it was left.
    """

    row: WorkItem
    process: Process
    holder: str
    lease_until: datetime | None
    is_lapsed: bool
    worked_by: str
    client: str
    caution: str
    fields: Sequence[FieldRecord]
    depends_on: Sequence[WorkItem]
    dependents: Sequence[WorkItem]
    steps: Sequence[Step]
    ledger: Sequence[LedgerRecord]
    older: int
    thoughts: Sequence[Evidence]
    reviews: Sequence[Review]
    yes: WorkConfirmation | None
    confirmations: Sequence[WorkConfirmation]
    before: ConfirmedItem | None
    asks: bool
    agrees: bool

    @property
    def state_title(self) -> str:
        """Of its state, as people read it."""
        return self._title_of(self.row.state)

    @property
    def path_in_words(self) -> str:
        """The states that it came through since a person confirmed it last, the latest moves of many."""
        path = [self._title_of(each) for each in self.before.path] if self.before is not None else []
        return " → ".join([*(["…"] if len(path) > MOST_MOVES else []), *path[-MOST_MOVES:]])

    def _title_of(self, name: str) -> str:
        state = self.process.states.get(name)
        return state.title if state is not None else name


@dataclass(frozen=True, slots=True)
class WaitingItems:
    """The items that wait for a person's yes, the longest waiting first; and those that have it and were not moved."""

    waiting: Sequence[ItemRecord]
    confirmed: Sequence[ItemRecord]
    total: int


def item_record(work: Work, reference: str) -> ItemRecord:
    """One item.

    Raises:
        BigMindError: `not_found`, `ambiguous`.
    """
    return _record(work, item_named(work, reference))


def waiting_records(work: Work, limit: int) -> WaitingItems:
    """What waits for a person's yes, at most `limit` of it."""
    waiting, confirmed = waiting_items(work, limit), confirmed_items(work, limit)
    return WaitingItems(
        [_record(work, each) for each in waiting], [_record(work, each) for each in confirmed], count_waiting(work)
    )


def _record(work: Work, row: WorkItem) -> ItemRecord:
    process = process_of(work, row.process, row.version)
    chain, names, texts = list(rows(work, row.uid)), AgentNames(work), texts_of(work, row.uid)
    is_known, until = row.state in process.states, lease_end(work, row)
    return ItemRecord(
        row=row,
        process=process,
        holder=shown_agent(row.holder),
        lease_until=until,
        is_lapsed=until is not None and until <= work.now,
        worked_by=shown_agent(row.worked_by),
        client=names.agent(row.user_id, row.client),
        caution=pending(row),
        fields=_fields(work, row),
        depends_on=depends_on(work, row)[:MOST_NEIGHBOURS],
        dependents=dependents(work, row)[:MOST_NEIGHBOURS],
        steps=steps(work, row, process) if is_known else [],
        ledger=_ledger(work, chain[-MOST_ROWS:], names, texts),
        older=max(0, len(chain) - MOST_ROWS),
        thoughts=_thoughts(work, chain, _titles_then(row, chain, texts)),
        reviews=_reviews(process, chain, names),
        yes=standing(work, row),
        confirmations=confirmations(work, row),
        before=last_yes(work, row),
        asks=is_known and asks(process, row.state, row.role),
        agrees=agrees(work, row),
    )


def _fields(work: Work, row: WorkItem) -> list[FieldRecord]:
    found = select(WorkFieldValue).where(WorkFieldValue.item_id == row.id).order_by(col(WorkFieldValue.id).desc())
    history: dict[str, list[WorkFieldValue]] = defaultdict(list)
    for each in work.session.exec(found):
        history[each.name].append(each)
    values = fields_of(row)
    names = sorted({*values, *history}, key=lambda each: (each in MEMORY_FIELDS, each not in values, each))
    return [_field(each, values.get(each), history[each]) for each in names]


def _field(name: str, value: Any, history: Sequence[WorkFieldValue]) -> FieldRecord:
    return FieldRecord(name, in_text(value), value is None or isinstance(value, str), name in MEMORY_FIELDS, history)


def in_text(value: Any) -> str:
    """A value of a field as people read it: a text as it is, else JSON; empty where there is none."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)


def _ledger(
    work: Work, chain: Sequence[Row], names: AgentNames, texts: Mapping[tuple[int, str], str]
) -> list[LedgerRecord]:
    words = _words(work, [seen for each in chain for seen in _seen(each.body)])
    return [
        LedgerRecord(
            number=each.number,
            at=datetime.fromisoformat(each.body["at"]),
            kind=each.body["kind"],
            by=actor_in_words(each.body, names),
            surface=str(each.body["surface"]),
            process=str(each.body.get("process", "")).partition(":")[0],
            told=act_in_words(each.body),
            reason=texts.get((each.number, "reason"), "") or texts.get((each.number, "note"), ""),
            met=[str(gate["gate"]) for gate in each.body.get("gates", ()) if gate["passed"]],
            unmet=[str(gate["gate"]) for gate in each.body.get("gates", ()) if not gate["passed"]],
            violations=[f"{gate} ({severity})" for gate, severity in each.body.get("violations", ())],
            evidence=[Evidence(kind, uid, words.get((kind, uid), "")) for kind, uid in _seen(each.body)],
            digest=each.digest,
        )
        for each in reversed(chain)
    ]


def _seen(body: Mapping[str, Any]) -> list[tuple[str, str]]:
    found = ((kind, gate.get("seen", {}).get(kind)) for gate in body.get("gates", ()) for kind in EVIDENCE)
    return [(kind, str(uid)) for kind, uid in found if uid]


def _titles_then(row: WorkItem, chain: Sequence[Row], texts: Mapping[tuple[int, str], str]) -> dict[int, str]:
    """The title that an item had at a row of its ledger, where it has another now: a text may fit that one alone."""
    title, found = row.title, dict[int, str]()
    for each in chain:
        title = texts.get((each.number, "title"), title)
        if title != row.title:
            found[each.number] = title
    return found


def _thoughts(work: Work, chain: Sequence[Row], titles: Mapping[int, str]) -> list[Evidence]:
    moved = [each for each in reversed(chain) if each.body["kind"] == "moved"]
    seen = {each: titles.get(row.number, "") for row in moved for each in _seen(row.body)}
    shown = {each: titled for each, titled in seen.items() if titled or each[0] == "thought"}
    words = _words(work, list(shown))
    return [Evidence(kind, uid, words.get((kind, uid), ""), titled) for (kind, uid), titled in shown.items()]


def _words(work: Work, seen: Collection[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """What those questions and thoughts say, as far as the caller may read them."""
    thoughts = select(Thought.uid, Thought.content).where(
        col(Thought.uid).in_([uid for kind, uid in seen if kind == "thought"]), readable(work, work.kinds["thought"])
    )
    asked = select(BrainQuery.uid, BrainQuery.text).where(
        col(BrainQuery.uid).in_([uid for kind, uid in seen if kind == "question"]),
        BrainQuery.user_id == work.caller.user_id,
    )
    found = {("thought", uid): text for uid, text in work.session.exec(thoughts).all()}
    return found | {("question", uid): text for uid, text in work.session.exec(asked).all()}


def _reviews(process: Process, chain: Sequence[Row], names: AgentNames) -> list[Review]:
    found: list[Review] = []
    for each in reversed(chain):
        body = each.body
        if body["kind"] != "moved":
            continue
        source, target = process.states.get(body["from"]), process.states.get(body["to"])
        if target is not None and target.is_claimed:
            break
        if source is not None and source.is_review and body["actor"] == ActorKind.AGENT.value:
            at = datetime.fromisoformat(body["at"])
            found.append(
                Review(names.agent(body.get("user"), str(body["client"])), str(body["role"]), str(body["to"]), at)
            )
    return found
