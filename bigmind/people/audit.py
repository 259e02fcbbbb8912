"""The audit log as an admin reads it: who did what to whom, of administrative acts alone.

The table `change` holds a row for every change of the store, those of each person's private memory too. What is told
here is listed, not left out: of a kind of row that is not named here nobody learns anything.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlmodel import and_, col, or_, select

from bigmind.core.errors import not_found
from bigmind.core.events import Action, Kind
from bigmind.core.paging import cursor_after, place_of
from bigmind.people.audit_words import AuditSubject, act_in_words
from bigmind.people.tables import Token, User
from bigmind.store.tables import ChangeRow
from bigmind.store.work import Work


class AuditKind(StrEnum):
    """What an act was about."""

    USERS = "users"
    TOKENS = "tokens"
    SETTINGS = "settings"
    STORE = "store"
    KNOWLEDGE = "knowledge"


NOTICES = ("passphrase_see_tries", "passphrase_see_changes", "directory_choose")
"""What somebody does about what they alone are shown, or chose for themselves."""
SETTINGS_ACTS = (
    "settings_change",
    "tools_serve",
    "backup_encrypt",
    "backup_stop_encrypting",
    "work_set_roles",
    "work_take_process",
    "work_let_agents_create",
    "work_remove_process",
    "work_migrate_items",
    "provision",
)
"""Of the changes of settings, those of the whole store; workspaces and what is learned from are each person's own."""
_JUDGED = (Action.APPROVED, Action.DEPRECATED, Action.ACCEPTED, Action.FORGOTTEN)
_ACTS: Mapping[AuditKind, Any] = {
    AuditKind.USERS: and_(col(ChangeRow.kind) == Kind.USER, col(ChangeRow.operation).not_in(NOTICES)),
    AuditKind.TOKENS: col(ChangeRow.kind) == Kind.TOKEN,
    AuditKind.SETTINGS: and_(col(ChangeRow.kind) == Kind.SETTINGS, col(ChangeRow.operation).in_(SETTINGS_ACTS)),
    AuditKind.STORE: col(ChangeRow.kind) == Kind.STORE,
    AuditKind.KNOWLEDGE: and_(col(ChangeRow.kind) == Kind.KNOWLEDGE, col(ChangeRow.action).in_(_JUDGED)),
}


@dataclass(frozen=True, slots=True)
class AuditQuery:
    """Which acts are looked at; what is empty does not restrict. `user` did it, or it was done to them."""

    user: str = ""
    kind: AuditKind | None = None
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Act:
    """One administrative act.

    Attributes:
        number: of the change.
        at: when.
        by: the name of the user who did it.
        client: with what.
        kind: what it was about.
        words: what was done, without who did it.
    """

    number: int
    at: datetime
    by: str
    client: str
    kind: AuditKind
    words: str


@dataclass(frozen=True, slots=True)
class AuditStretch:
    """Acts, the newest first. `cursor` is where it goes on; None at the end."""

    acts: Sequence[Act]
    cursor: str | None


def audit(work: Work, query: AuditQuery, limit: int, cursor: str | None = None) -> AuditStretch:
    """At most `limit` acts, from a cursor on.

    Raises:
        BigMindError: `not_found` for a user that there is not; `invalid_input`, when the cursor is none.
    """
    which = [or_(*_ACTS.values()) if query.kind is None else _ACTS[query.kind]]
    if query.user:
        which.append(_concerns(work, query.user))
    if query.since is not None:
        which.append(col(ChangeRow.at) >= query.since)
    if cursor is not None:
        which.append(col(ChangeRow.id) < place_of(cursor)[1])
    rows = work.session.exec(select(ChangeRow).where(*which).order_by(col(ChangeRow.id).desc()).limit(limit + 1)).all()
    shown = rows[:limit]
    goes_on = len(rows) > len(shown)
    return AuditStretch(_acts(work, shown), cursor_after(shown[-1].at, shown[-1].id or 0) if goes_on else None)


def _concerns(work: Work, username: str) -> Any:
    user = work.session.exec(select(User).where(User.username == username)).first()
    if user is None:
        raise not_found("user", username, "user_list shows their names.")
    theirs = select(Token.uid).where(Token.user_id == user.id)
    return or_(
        col(ChangeRow.user_id) == user.id,
        and_(col(ChangeRow.kind) == Kind.USER, col(ChangeRow.entity) == user.uid),
        and_(col(ChangeRow.kind) == Kind.TOKEN, col(ChangeRow.entity).in_(theirs)),
    )


def _acts(work: Work, rows: Sequence[ChangeRow]) -> list[Act]:
    users = {each.id: each for each in work.session.exec(select(User))}
    tokens = _by_uid(work, Token, rows, Kind.TOKEN)
    entries = _by_uid(work, work.kinds[Kind.KNOWLEDGE].table, rows, Kind.KNOWLEDGE)
    named = {each.uid: each.username for each in users.values()}
    acts: list[Act] = []
    for row in rows:
        by = users.get(row.user_id)
        subject = AuditSubject(named.get(row.entity, ""))
        if (token := tokens.get(row.entity)) is not None:
            owner = users[token.user_id]
            subject = AuditSubject(owner.username, token.client, token.kind, is_own=owner is by)
        elif (entry := entries.get(row.entity)) is not None:
            subject = AuditSubject(title=entry.title)
        elif by is not None and row.entity == by.uid:
            subject = AuditSubject(by.username, is_own=True)
        acts.append(
            Act(
                row.id or 0,
                row.at,
                by.username if by else "",
                row.client,
                _kind_of(row),
                act_in_words(row.kind, row.action, row.operation, row.entity, subject),
            )
        )
    return acts


def _by_uid(work: Work, table: Any, rows: Sequence[ChangeRow], kind: Kind) -> dict[str, Any]:
    uids = {each.entity for each in rows if each.kind == kind}
    return {each.uid: each for each in work.session.exec(select(table).where(col(table.uid).in_(uids)))} if uids else {}


_KIND_OF: Mapping[str, AuditKind] = {
    Kind.USER: AuditKind.USERS,
    Kind.TOKEN: AuditKind.TOKENS,
    Kind.SETTINGS: AuditKind.SETTINGS,
    Kind.STORE: AuditKind.STORE,
    Kind.KNOWLEDGE: AuditKind.KNOWLEDGE,
}


def _kind_of(row: ChangeRow) -> AuditKind:
    return _KIND_OF[row.kind]
