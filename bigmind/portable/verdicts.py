"""What an import would do with each record: decided against the store as it is, by stable ids and times."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache, lru_cache
from typing import Any, Protocol, cast

import sqlalchemy
from sqlmodel import Session, col, select

from bigmind.brain.finding.lineage import DESCENT
from bigmind.core.kind import Kind, Kinds
from bigmind.core.operation import Caller, Mode, Space
from bigmind.memory.kinds import FACT, HYPOTHESIS, MOMENT, SESSION
from bigmind.memory.rules import EntryState, Reviewer, may_see
from bigmind.memory.tables import Knowledge, MemorySession, Profile, ProjectAlias
from bigmind.people.tables import User
from bigmind.portable.brain.shared_thoughts import SharedThoughts
from bigmind.portable.format.brain_records import ThoughtRecord
from bigmind.portable.format.kind_records import owned_kinds
from bigmind.portable.others_rows import LINKS_KEPT_BACK, MOMENTS_LEFT, sessions_of_others, thoughts_of_others
from bigmind.portable.outcome import Verdict
from bigmind.portable.owners import Owner, Owners, may_handle_knowledge, may_handle_others
from bigmind.portable.staging import StagedRecord, StagingDatabase
from bigmind.portable.writing.hidden_rows import HiddenPlace
from bigmind.store.driver_statements import all_rows
from bigmind.store.tables import Forgotten, table_of


@dataclass(frozen=True, slots=True)
class Decision:
    """A record, what becomes of it, under which id, the key of the row that has it, and what to know of it."""

    staged: StagedRecord
    verdict: Verdict
    uid: str
    key: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class _Held:
    """A row of the store."""

    key: int
    owner: int | None
    updated: datetime | None


DERIVED_KEPT = 1_024
"""Ids that are kept: of a record the same one is asked for a few times in a row."""
LOG = "questions"
"""The section of the brain's log: what it proves, no import says."""
SHARED = frozenset({"thoughts"})
"""Sections of what users share with all others as it is."""
RESTED_ON = frozenset({"thoughts"})
"""Sections whose rows the log, and other users' links, rest on: a replacing import writes such a row where it is."""
NUMEROUS = tuple(each.exported_as for each in (SESSION, MOMENT, FACT, HYPOTHESIS))
"""Sections of which there are many: a replacing import leaves a row where it is when the document tells the same."""
STAYING = frozenset(NUMEROUS) | RESTED_ON
HERE_STAYS = (
    "What is here stays as it is, also where the file has it newer: only a person replaces it by an import, "
    "on the Export & import page or with `bigmind memory import`."
)
PROFILE_STAYS = "The profile that is here stays as it is: only a person replaces it by an import."
LINKS_LEFT = "Of thoughts that others share here already no links were taken; what led to them leads to those here."
_FORGOTTEN: Any = sqlalchemy.select(col(Forgotten.uid)).where(
    col(Forgotten.uid).in_(sqlalchemy.bindparam("uids", expanding=True))
)
_ENTRY_COLUMNS = ("uid", "id", "promoted_by_id", "updated_at", "status")


@dataclass(frozen=True, slots=True)
class _HeldEntry:
    """An entry of company knowledge of the store, without its text."""

    uid: str
    key: int
    promoter: int | None
    updated: datetime
    status: str


@dataclass(frozen=True, slots=True)
class ImportContext:
    """For whom, where, and how an import is made."""

    caller: Caller
    mode: Mode
    owners: Owners
    kinds: Kinds
    replaces: bool
    hidden: Mapping[str, HiddenPlace] = field(default_factory=dict[str, HiddenPlace])
    """Where what is new of each user, by name, stands until it is handed on."""
    hides: bool = False
    """Whether what is written now is written there."""
    shared: SharedThoughts = field(default_factory=SharedThoughts)
    """What others share here already."""

    def written_under(self, owner: str | None) -> int | None:
        """The key of the user under whom a record of that user of the document is written."""
        return self.hidden[self.owners[owner].username].under if self.hides else self.owners[owner].key

    def stands_under(self, owner: str | None) -> tuple[int | None, ...]:
        """The keys of the users under whom rows of that user of the document may stand."""
        theirs = self.owners[owner]
        place = self.hidden.get(theirs.username)
        return (theirs.key,) if place is None else (theirs.key, place.under)

    @property
    def aliases_of(self) -> dict[int, int]:
        """Whose names of projects count for the rows of each user that the import writes."""
        here = [(each.key, each.username) for each in self.owners.values() if each.key is not None]
        hidden = {self.hidden[name].under: key for key, name in here if name in self.hidden}
        return {key: key for key, _ in here} | hidden

    @property
    def importer(self) -> Owner:
        """Who imports."""
        return self.owners[None]

    @property
    def mine(self) -> set[str | None]:
        """The users of the document who are whoever imports; None among them."""
        return {name for name, owner in self.owners.items() if owner.key == self.importer.key}

    @property
    def is_trusted(self) -> bool:
        """Whether the document may tell about company knowledge that is not the caller's own."""
        return may_handle_knowledge(self.caller, self.mode)


@lru_cache(DERIVED_KEPT)
def derived(owner: Owner, uid: str) -> str:
    """The id under which a user keeps a record whose own id belongs to somebody else: always the same one."""
    return str(uuid.uuid5(uuid.UUID(owner.uid), uid))


@cache
def _rows_of(table: Any, *names: str) -> Any:
    """A statement that is kept: these columns of the rows of some ids, behind the ids."""
    rows = table_of(table).c
    return sqlalchemy.select(rows.uid, *(rows[name] for name in names)).where(
        rows.uid.in_(sqlalchemy.bindparam("uids", expanding=True))
    )


class SameRows(Protocol):
    """Knows which rows of those that a replacing import is over stay as they are."""

    def is_same(self, staged: StagedRecord, uid: str, key: int) -> bool:
        """Whether the row of that id and key is what the record tells."""
        ...


class Decider:
    """Decides over the records of one section after the other, in one transaction."""

    def __init__(self, session: Session, about: ImportContext, same: SameRows, records: StagingDatabase) -> None:
        self._session = session
        self._about = about
        self._same = same
        self._records = records
        self._kinds = owned_kinds(about.kinds)

    def decide(self, rows: list[StagedRecord]) -> list[Decision]:
        """What becomes of some records of one section."""
        section = rows[0].section
        if section == "users":
            return self._users(rows)
        if section == LOG:
            return [Decision(each, Verdict.LOGGED, each.uid) for each in rows]
        known = [each for each in rows if each.owner in self._about.owners]
        forgotten = self._forgotten(known)
        if section == "profiles":
            found = {each.key: self._profile(each) for each in known}
        elif section == "project_names":
            may_join = self._about.caller.is_person  # as by hand
            found = {each.key: self._project_name(each) for each in known if may_join}
        elif section == "knowledge":
            found = self._knowledge(known)
        else:
            found = self._owned(section, known)
        return [self._final(each, found, forgotten) for each in rows]

    def _final(self, staged: StagedRecord, found: dict[int, Decision], forgotten: set[str]) -> Decision:
        decision = found.get(staged.key)
        if decision is None:
            return Decision(staged, Verdict.LEFT_OUT, staged.uid)
        gone = {staged.uid, decision.uid}
        if staged.section == "chunks":  # with its session
            gone.update(self._both(staged.owner, staged.session or ""))
        return Decision(staged, Verdict.FORGOTTEN, decision.uid) if gone & forgotten else decision

    def _forgotten(self, rows: list[StagedRecord]) -> set[str]:
        uids = {each for row in rows for each in self._candidates(row)}
        uids.update(uid for row in rows if row.session is not None for uid in self._both(row.owner, row.session))
        return {each.uid for each in all_rows(self._session, _FORGOTTEN, {"uids": [*uids]})}

    def _candidates(self, row: StagedRecord) -> tuple[str, ...]:
        return () if row.section in {"profiles", "project_names"} else self._both(row.owner, row.uid)

    def _both(self, owner: str | None, uid: str) -> tuple[str, str]:
        """The ids that a record of that id may have here."""
        return uid, derived(self._about.owners[owner], uid)

    def _users(self, rows: list[StagedRecord]) -> list[Decision]:
        """Users of the document: matched by their names when the owners were found out."""
        allowed = may_handle_others(self._about.caller)
        verdicts = [self._user_verdict(row) if allowed else Verdict.LEFT_OUT for row in rows]
        return [Decision(row, verdict, row.uid) for row, verdict in zip(rows, verdicts, strict=True)]

    def _user_verdict(self, row: StagedRecord) -> Verdict:
        return Verdict.NEW if self._about.owners[row.uid].key is None else Verdict.UNCHANGED

    def _profile(self, row: StagedRecord) -> Decision:
        owner = self._about.owners[row.owner]
        profile = None if self._is_replaced(owner.key) else self._session.get(Profile, owner.key or 0)
        if profile is None:
            return Decision(row, Verdict.NEW, row.uid)
        decision = Decision(row, _compared(row.updated, profile.updated_at), row.uid, profile.user_id)
        is_told = profile.role or profile.preferences or profile.pinned_facts
        return self._kept(decision, PROFILE_STAYS) if is_told else decision

    def _kept(self, decision: Decision, note: str = HERE_STAYS) -> Decision:
        """What is here stays, unless a person imports: it would lose its words, and wait until somebody accepts it."""
        if decision.verdict is not Verdict.NEWER or self._about.caller.is_person:
            return decision
        return replace(decision, verdict=Verdict.KEPT, note=note)

    def _project_name(self, row: StagedRecord) -> Decision:
        owner = self._about.owners[row.owner]
        folded = row.uid.rpartition(":")[0]
        held = None if self._is_replaced(owner.key) else self._session.get(ProjectAlias, (owner.key or 0, folded))
        if held is None:
            return Decision(row, Verdict.NEW, row.uid)
        return Decision(row, _compared(row.updated, held.at), row.uid, held.user_id)

    def _is_replaced(self, owner: int | None) -> bool:
        return self._about.replaces and owner == self._about.importer.key

    def _owned(self, section: str, rows: list[StagedRecord]) -> dict[int, Decision]:
        kind = self._kinds[section]
        held = self._held(kind, {uid for row in rows for uid in self._candidates(row)})
        found = {row.key: self._owned_one(kind, row, held) for row in rows}
        if section in SHARED:
            found |= self._copies(found)
        return found if self._about.caller.is_person else self._beside_others(section, found)

    def _beside_others(self, section: str, found: dict[int, Decision]) -> dict[int, Decision]:
        """The same, of an assistant's file: it adds nothing to what others wrote here."""
        new = {key: each for key, each in found.items() if each.verdict is Verdict.NEW}
        match section:
            case MOMENT.exported_as:
                return found | self._moments_left(new)
            case ThoughtRecord.section:
                return found | self._links_kept_back(new)
            case _:
                return found

    def _moments_left(self, new: dict[int, Decision]) -> dict[int, Decision]:
        sessions = session_keys(self._session, self._about, [each.staged for each in new.values()])
        others = sessions_of_others(self._session, self._about.caller.client, sessions.values())
        return {
            key: replace(each, verdict=Verdict.LEFT_OUT, note=MOMENTS_LEFT)
            for key, each in new.items()
            if sessions.get((each.staged.owner, each.staged.session or "")) in others
        }

    def _links_kept_back(self, new: dict[int, Decision]) -> dict[int, Decision]:
        """Those thoughts whose links are left out when they are written (`brain_writer.py`), with a note of that."""
        leading = {key: self._leads_to(each.staged) for key, each in new.items()}
        uids = [uid for those in leading.values() for uid in those]
        others = thoughts_of_others(self._session, self._about.caller.client, uids)
        return {key: replace(each, note=LINKS_KEPT_BACK) for key, each in new.items() if leading[key] & others}

    def _leads_to(self, staged: StagedRecord) -> set[str]:
        """The ids that may be those of what a thought would take the place of."""
        record = cast("ThoughtRecord", self._records.record(staged))
        return {uid for each in record.links if each.relation in DESCENT for uid in self._both(staged.owner, each.id)}

    def _copies(self, found: dict[int, Decision]) -> dict[int, Decision]:
        """Of what is new, what another user shares here already, under its id or in its words: that is there."""
        user = self._about.importer.key
        new = {key: each for key, each in found.items() if each.verdict is Verdict.NEW and each.key is None}
        mine = {key: each for key, each in new.items() if each.staged.owner in self._about.mine}
        if self._about.mode is Mode.PERSONAL or not mine:
            return {}
        known = self._about.shared.among(self._session, user, [each.staged.uid for each in mine.values()])
        copies: dict[int, Decision] = {}
        for key, each in mine.items():
            record = cast("ThoughtRecord", self._records.record(each.staged))
            if record.space != Space.SHARED:  # what is private is its user's own
                continue
            if each.staged.uid in known or self._about.shared.saying(self._session, user, record.content):
                copies[key] = replace(each, verdict=Verdict.UNCHANGED, note=LINKS_LEFT if record.links else "")
        return copies

    def _held(self, kind: Kind, uids: Iterable[str]) -> dict[str, _Held]:
        query = _rows_of(kind.table, kind.key, kind.owner, kind.changed or kind.time)
        return {
            uid: _Held(key, owner, at if kind.changed else None)
            for uid, key, owner, at in all_rows(self._session, query, {"uids": [*uids]})
            if kind.exported_as in STAYING or not self._is_replaced(owner)
        }

    def _owned_one(self, kind: Kind, row: StagedRecord, held: dict[str, _Held]) -> Decision:
        owner = self._about.owners[row.owner]
        for uid in self._candidates(row):
            mine = held.get(uid)
            if mine is not None and mine.owner == owner.key:
                if self._is_replaced(mine.owner):
                    is_same = row.section in NUMEROUS and self._same.is_same(row, uid, mine.key)
                    return Decision(row, Verdict.UNCHANGED if is_same else Verdict.NEW, uid, mine.key)
                # What has no time of a change never changes once it is written.
                verdict = Verdict.UNCHANGED if mine.updated is None else _compared(row.updated, mine.updated)
                return self._kept(Decision(row, verdict, uid, mine.key))
        uid = row.uid
        while uid in held or (uid != row.uid and self._held(kind, [uid])):
            uid = derived(owner, uid)
        return Decision(row, Verdict.NEW, uid)

    def _knowledge(self, rows: list[StagedRecord]) -> dict[int, Decision]:
        uids = {uid for row in rows for uid in self._candidates(row)}
        columns: list[Any] = [getattr(Knowledge, name) for name in _ENTRY_COLUMNS]
        query = sqlalchemy.select(*columns).where(col(Knowledge.uid).in_(uids))
        entries = [_HeldEntry(*each) for each in self._session.connection().execute(query)]
        held = {each.uid: each for each in entries if not self._is_replaced_entry(each)}
        return {row.key: self._entry(row, held) for row in rows}

    def _is_replaced_entry(self, entry: "_HeldEntry") -> bool:
        return self._about.replaces and replaces_entry(self._about, entry.promoter, entry.status)

    def _entry(self, row: StagedRecord, held: dict[str, "_HeldEntry"]) -> Decision:
        for uid in self._candidates(row):
            entry = held.get(uid)
            if entry is not None and self._may_see(entry):
                verdict = _compared(row.updated, entry.updated)
                if verdict is Verdict.NEWER and not self._may_overwrite(entry):
                    verdict = Verdict.OLDER
                return self._kept(Decision(row, verdict, uid, entry.key))
        return Decision(row, Verdict.NEW, derived(self._about.importer, row.uid) if row.uid in held else row.uid)

    def _may_see(self, entry: "_HeldEntry") -> bool:
        caller = self._about.caller
        hand = Reviewer(self._about.mode, caller.role, is_promoter=entry.promoter == caller.user_id)
        return self._about.is_trusted or may_see(EntryState(cast("Any", entry.status)), hand)

    def _may_overwrite(self, entry: "_HeldEntry") -> bool:
        is_own_draft = entry.promoter == self._about.caller.user_id and entry.status == "pending"
        return self._about.is_trusted or is_own_draft


def replaces_entry(about: ImportContext, promoter: int | None, status: str) -> bool:
    """Whether a replacing import takes an entry away: all in a curator's own store, else one's own that wait."""
    is_own_draft = promoter == about.caller.user_id and status == "pending"
    return is_own_draft or (about.mode is Mode.PERSONAL and about.is_trusted)


def session_keys(
    session: Session, about: ImportContext, rows: Iterable[StagedRecord]
) -> dict[tuple[str | None, str], int]:
    """The keys of the sessions that records refer to, by owner and by the id that stands in the document."""
    wanted = {(row.owner, row.session) for row in rows if row.session is not None and row.owner in about.owners}
    if not wanted:
        return {}
    candidates = {(owner, uid): (uid, derived(about.owners[owner], uid)) for owner, uid in wanted}
    uids = {uid for both in candidates.values() for uid in both}
    query = select(MemorySession.uid, MemorySession.id, MemorySession.user_id).where(col(MemorySession.uid).in_(uids))
    held = {(uid, user): key for uid, key, user in session.exec(query)}
    found: dict[tuple[str | None, str], int] = {}
    for (owner, uid), both in candidates.items():
        users = [user for user in about.stands_under(owner) if user is not None]
        keys = [key for each in both for user in users if (key := held.get((each, user))) is not None]
        if keys:
            found[owner, uid] = keys[0]
    return found


def user_key(session: Session, username: str | None) -> int | None:
    """The key of the user of that name; None when there is none."""
    if username is None:
        return None
    return session.exec(select(User.id).where(User.username == username)).first()


def _compared(theirs: datetime, ours: datetime) -> Verdict:
    if theirs == ours:
        return Verdict.UNCHANGED
    return Verdict.NEWER if theirs > ours else Verdict.OLDER
