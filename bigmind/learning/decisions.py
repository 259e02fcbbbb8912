"""What a person decided: proposals become what they would become, once; and are taken back."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, combinations, groupby

from sqlmodel import col, delete, select

from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import Action, Kind
from bigmind.core.operation import Caller
from bigmind.core.progress import Phase
from bigmind.learning.proposals import LONGEST_OF_PROFILE, Proposal
from bigmind.learning.tables import Decision
from bigmind.memory.facts.service import deprecate_fact, get_profile, store_fact, update_profile
from bigmind.memory.knowledge.service import Draft, promote
from bigmind.memory.sessions.past import PastSession, remove_past, store_past
from bigmind.memory.tables import Knowledge
from bigmind.store.access import Access
from bigmind.store.work import Work

AT_ONCE = 50
"""Proposals that are written in one unit of work: others write between them."""
CONFIDENCE = 0.9
"""Of a fact that a person wrote down once and has now accepted."""
MOST_PREFERENCES = 4_000
MOST_LINES = 200
PREFERENCES = "preferences"
TAKEN_BACK = "What was learned was taken back."
ACCEPTED, DISMISSED = "accepted", "dismissed"


@dataclass(frozen=True, slots=True)
class CreatedItem:
    """What became of one proposal: its kind, its id, and whether its words wait to be accepted."""

    digest: str
    kind: str
    uid: str
    text: str
    caution: str = ""


@dataclass(slots=True)
class DecisionOutcome:
    """What came of the decisions over some proposals.

    Attributes:
        made: what is new.
        confirmed: digests of what was known already.
        left: why something was not taken, each with its words.
        before: how many were decided before.
    """

    made: list[CreatedItem] = field(default_factory=list[CreatedItem])
    confirmed: list[str] = field(default_factory=list[str])
    left: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    before: int = 0


def decided_digests(work: Work) -> set[str]:
    """What the caller has decided."""
    return set(work.session.exec(select(Decision.digest).where(Decision.user_id == work.caller.user_id)))


def accept(access: Access, proposals: Sequence[Proposal]) -> DecisionOutcome:
    """Make of each what it would become, unless that was decided before."""
    outcome, phase = DecisionOutcome(), Phase(access.progress, "Learning", len(proposals))
    for caller, group in _by_origin(access.caller, proposals):
        for batch in _batches(group):
            with access.store.write(caller, access.operation) as work:
                for each in batch:
                    _accept_one(work, each, outcome)
            phase.add(len(batch))
    return outcome


def dismiss(access: Access, digests: Sequence[str]) -> int:
    """Have them not proposed again; how many were not decided before."""
    with access.write() as work:
        fresh = [each for each in digests if work.session.get(Decision, (work.caller.user_id, each)) is None]
        for each in fresh:
            work.session.add(_decision(work, each, DISMISSED))
        if fresh:
            work.changed(Kind.SETTINGS, "learning", Action.UPDATED)
    return len(fresh)


def take_back(access: Access, digests: Sequence[str], *, all_dismissed: bool) -> tuple[int, list[str]]:
    """Undo decisions: what was made of them goes. How many there were, and why something stays."""
    left: list[str] = []
    taken = 0
    with access.write() as work:
        own = select(Decision).where(Decision.user_id == work.caller.user_id)
        chosen = [each for each in work.session.exec(own) if _is_chosen(each, digests, all_dismissed=all_dismissed)]
        for each in chosen:
            why = _unmake(work, each)
            if why:
                left.append(why)
                continue
            taken += 1
            work.session.exec(
                delete(Decision).where(col(Decision.user_id) == each.user_id, col(Decision.digest) == each.digest)
            )
        if taken:
            work.changed(Kind.SETTINGS, "learning", Action.UPDATED)
    return taken, left


def _is_chosen(decision: Decision, digests: Sequence[str], *, all_dismissed: bool) -> bool:
    if all_dismissed and decision.decision == DISMISSED:
        return True
    return any(decision.digest.startswith(each) for each in digests)


def _by_origin(caller: Caller, proposals: Sequence[Proposal]) -> Iterator[tuple[Caller, list[Proposal]]]:
    """The proposals by where they come from, each with a caller in whose name they are written.

    It is nobody's client and on no connection, so nothing is born in an assistant's session.
    """

    def origin(each: Proposal) -> tuple[str, str]:
        return each.client, each.project or ""

    for (client, project), group in groupby(sorted(proposals, key=origin), key=origin):
        yield replace(caller, client=client, project=project or None, connection=None, token_id=0), list(group)


def _batches(group: Sequence[Proposal]) -> Iterator[Sequence[Proposal]]:
    for begin in range(0, len(group), AT_ONCE):
        yield group[begin : begin + AT_ONCE]


def _accept_one(work: Work, proposal: Proposal, outcome: DecisionOutcome) -> None:
    digest = proposal.digest
    if work.session.get(Decision, (work.caller.user_id, digest)) is not None:
        outcome.before += 1
        return
    try:
        made = _MAKERS[proposal.becomes](work, proposal)
    except BigMindError as error:  # refused before anything was written
        if error.code not in {Code.CONFLICT, Code.INVALID_INPUT, Code.FORBIDDEN}:
            raise
        outcome.left.append((proposal.text, error.message))
        return
    work.session.add(_decision(work, digest, ACCEPTED, f"{made.kind} {made.uid}".strip() if made.uid else ""))
    if made.uid:
        outcome.made.append(made)
    else:
        outcome.confirmed.append(digest)


def _decision(work: Work, digest: str, decision: str, made: str = "") -> Decision:
    return Decision(user_id=work.caller.user_id, digest=digest, decision=decision, made=made, at=work.now)


def _make_fact(work: Work, proposal: Proposal) -> CreatedItem:
    stored = store_fact(work, proposal.category, proposal.text, CONFIDENCE, proposal.project)
    is_new = stored.outcome == "stored"
    uid = stored.fact.fact_id if is_new else ""
    return CreatedItem(proposal.digest, Kind.FACT, uid, proposal.text, stored.fact.caution)


def _make_entry(work: Work, proposal: Proposal) -> CreatedItem:
    promoted = promote(work, Draft(proposal.category, proposal.title, proposal.text))
    uid = "" if promoted.note else promoted.entry.entry_id  # what was there before is nothing new
    return CreatedItem(proposal.digest, Kind.KNOWLEDGE, uid, proposal.title, promoted.entry.caution)


def _make_preference(work: Work, proposal: Proposal) -> CreatedItem:
    before = get_profile(work).preferences
    if proposal.text in before:
        return CreatedItem(proposal.digest, Kind.PROFILE, "", proposal.text)
    preferences = f"{before}\n{proposal.text}".strip()
    if len(preferences) > MOST_PREFERENCES:
        raise BigMindError(
            Code.CONFLICT, f"The profile's preferences hold at most {MOST_PREFERENCES:,} characters.", "Shorten them."
        )
    profile = update_profile(work, None, preferences, None)
    return CreatedItem(proposal.digest, Kind.PROFILE, PREFERENCES, proposal.text, profile.caution)


def _make_session(work: Work, proposal: Proposal) -> CreatedItem:
    held = proposal.held
    if held is None:
        raise BigMindError(Code.INVALID_INPUT, "Nobody knows when this was.")
    past = PastSession(proposal.text, held.started_at, held.ended_at, proposal.project, held.topics, held.summary)
    session = store_past(work, past)
    return CreatedItem(proposal.digest, Kind.SESSION, session.uid, proposal.text, session.caution)


_MAKERS: dict[str, Callable[[Work, Proposal], CreatedItem]] = {
    "fact": _make_fact,
    "knowledge": _make_entry,
    "profile": _make_preference,
    "session": _make_session,
}


def _unmake(work: Work, decision: Decision) -> str:
    """Take back what was made of a decision; why that cannot be, or nothing."""
    kind, _, uid = decision.made.partition(" ")
    try:
        match kind:
            case Kind.FACT:
                deprecate_fact(work, uid, TAKEN_BACK)
            case Kind.SESSION:
                return "" if remove_past(work, uid, decision.at) else f"Session {uid} has grown since; it stays."
            case Kind.KNOWLEDGE:
                return _remove_entry(work, uid, decision)
            case Kind.PROFILE:
                return _remove_preference(work, decision.digest)
            case _:
                pass
    except BigMindError as error:
        if error.code not in {Code.NOT_FOUND, Code.CONFLICT}:  # gone already, or deprecated by hand
            raise
    return ""


def is_untouched(entry: Knowledge, decision: Decision) -> bool:
    """Whether an entry is what the decision made of it: nobody has changed or judged it since."""
    return entry.updated_at == decision.at and entry.promoted_by_id == decision.user_id


def _remove_entry(work: Work, uid: str, decision: Decision) -> str:
    entry = work.session.exec(select(Knowledge).where(Knowledge.uid == uid)).first()
    if entry is None:
        return ""
    if not is_untouched(entry, decision):
        return f"“{entry.title}” was changed or judged since; deprecate it among the knowledge if it does not hold."
    work.session.exec(delete(Knowledge).where(col(Knowledge.id) == entry.id))
    work.changed(Kind.KNOWLEDGE, uid, Action.PRUNED)
    return ""


def lines_of(preferences: str, digests: Collection[str]) -> dict[str, tuple[int, int]]:
    """Where in the profile's preferences the lines stand that make these digests: they are stored nowhere else.

    Each from its first line, counted from 0, to the one behind its last.
    """
    lines = preferences.split("\n")
    begins = list(accumulate((len(line) + 1 for line in lines), initial=0))
    wanted, found = set(digests), dict[str, tuple[int, int]]()
    for begin, end in combinations(range(min(len(lines), MOST_LINES) + 1), 2):
        if not wanted:
            break
        if begins[end] - begins[begin] > LONGEST_OF_PROFILE + 1:
            continue
        digest = Proposal("profile", "\n".join(lines[begin:end]), "").digest
        if digest in wanted:
            wanted.remove(digest)
            found[digest] = (begin, end)
    return found


def _remove_preference(work: Work, digest: str) -> str:
    preferences = get_profile(work).preferences
    found = lines_of(preferences, [digest]).get(digest)
    if found is None:
        return "The profile was changed since; its preferences stay as they are."
    lines = preferences.split("\n")
    update_profile(work, None, "\n".join(lines[: found[0]] + lines[found[1] :]), None, is_by_hand=True)
    return ""


def chosen(proposals: Iterable[Proposal], digests: Sequence[str]) -> tuple[list[Proposal], list[str]]:
    """The proposals that are named by their digests or the beginnings of them, and the names of none.

    Raises:
        BigMindError: `ambiguous`, when several begin so.
    """
    found: dict[str, Proposal] = {}
    unknown: list[str] = []
    by_digest = {each.digest: each for each in proposals}
    for name in digests:
        named = [digest for digest in by_digest if digest.startswith(name)]
        if len(named) > 1:
            raise BigMindError(Code.AMBIGUOUS, f"More than one proposal begins with {name}.", "Give more of it.")
        if named:
            found[named[0]] = by_digest[named[0]]
        else:
            unknown.append(name)
    return list(found.values()), unknown
