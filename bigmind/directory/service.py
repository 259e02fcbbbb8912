"""Who works on what: of each person what they chose to let be told, of sessions that ended and wait for nobody.

Facts, moments, summaries and hypotheses are never read here: not even the time that it takes tells of them.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, cast

from sqlmodel import col, func, not_, or_, select

from bigmind.caution.detect import cautions
from bigmind.core.errors import not_found
from bigmind.core.events import Action, Kind
from bigmind.core.operation import Mode, Role
from bigmind.directory.rules import DirectoryChoice
from bigmind.memory.rules import AUTO_CLOSED, CLOSED_FROM_KNOWN
from bigmind.memory.tables import Knowledge, MemorySession, SessionTopic
from bigmind.operations.token_scope import kinds_within
from bigmind.people.tables import User
from bigmind.store.work import Work

LATELY = timedelta(days=30)
MOST_HEADLINES = 50


@dataclass(frozen=True, slots=True)
class Weight:
    """A topic or a project, in how many sessions it was, and on which day last."""

    name: str
    sessions: int
    last: date


@dataclass(frozen=True, slots=True)
class Headline:
    """What a session was about, and its day."""

    text: str
    day: date


@dataclass(frozen=True, slots=True)
class Card:
    """A person, as the directory tells of them.

    Attributes:
        uid, username, display_name, role: who they are.
        tells_headlines: whether they chose that headlines are told.
        first_seen, last_seen: on which days; None where they were not here yet.
        sessions: how many are told of.
        days: on how many days those began.
        topics, projects: of those, the most frequent first.
        entries: how many entries of company knowledge they promoted.
        is_you: whether it is whoever asks.
    """

    uid: str
    username: str
    display_name: str
    role: Role
    tells_headlines: bool
    first_seen: date
    last_seen: date | None
    sessions: int
    days: int
    topics: Sequence[Weight]
    projects: Sequence[Weight]
    entries: int
    is_you: bool


@dataclass(frozen=True, slots=True)
class KnownEntry:
    """An approved entry of company knowledge, with who promoted and who approved it."""

    uid: str
    title: str
    promoted_by: str
    approved_by: str
    at: datetime


def choice_of(work: Work) -> DirectoryChoice:
    """What the caller chose."""
    return _choice(work.session.get_one(User, work.caller.user_id))


def choose(work: Work, choice: DirectoryChoice) -> None:
    """Have the directory tell that much of the caller from now on."""
    user = work.session.get_one(User, work.caller.user_id)
    user.directory = choice.value
    work.session.add(user)
    work.changed(Kind.USER, user.uid, Action.UPDATED)


def cards(work: Work) -> list[Card]:
    """Everybody who lets something be told, the most active first; nobody where it is no team."""
    users = _told_of(work)
    keys = [each.id or 0 for each in users]
    sums, topics, projects = _sums(work, keys), _topics(work, keys), _projects(work, keys)
    entries = _entries_of(work, keys)
    told = [
        Card(
            uid=each.uid,
            username=each.username,
            display_name=each.username if cautions(each.display_name) else each.display_name,
            role=Role(each.role),
            tells_headlines=_choice(each) is DirectoryChoice.HEADLINES,
            first_seen=each.created_at.date(),
            last_seen=each.last_seen_at.date() if each.last_seen_at > each.created_at else None,
            sessions=sums.get(each.id or 0, (0, 0))[0],
            days=sums.get(each.id or 0, (0, 0))[1],
            topics=topics[each.id or 0],
            projects=projects[each.id or 0],
            entries=entries.get(each.id or 0, 0),
            is_you=each.id == work.caller.user_id,
        )
        for each in users
    ]
    return sorted(told, key=lambda each: (-each.sessions, each.username))


def card(work: Work, name: str) -> Card:
    """Of one person, by their name or id.

    Raises:
        BigMindError: `not_found`, also for whoever lets nothing be told: nobody learns that they are here.
    """
    found = next((each for each in cards(work) if name in {each.username, each.uid}), None)
    if found is None:
        raise not_found("person in the directory", name, "directory_list shows who is in it.")
    return found


def headlines(work: Work, card: Card) -> list[Headline]:
    """Of the newest sessions of a person who lets them be told."""
    if not card.tells_headlines:
        return []
    user = work.session.exec(select(User.id).where(User.uid == card.uid)).one()
    return headlines_of(work, [user or 0], MOST_HEADLINES).get(user or 0, [])


def headlines_of(work: Work, keys: Collection[int], most: int) -> dict[int, list[Headline]]:
    """The headlines of those of these users who let them be told, the newest first; of each `most` at most."""
    found: dict[int, list[Headline]] = {}
    for key in keys:
        rows = select(MemorySession.one_liner, MemorySession.started_at).where(
            MemorySession.user_id == key, *_TOLD, *_HEADLINED
        )
        newest = work.session.exec(rows.order_by(col(MemorySession.started_at).desc()).limit(most))
        found[key] = [Headline(text, at.date()) for text, at in newest]
    return found


def keys_with_headlines(work: Work) -> dict[str, int]:
    """The keys of the users who let headlines be told, by their ids."""
    return {each.uid: each.id or 0 for each in _told_of(work) if _choice(each) is DirectoryChoice.HEADLINES}


def lately(work: Work) -> list[Weight]:
    """The topics of the last days, of everybody who is told of; the most frequent first."""
    keys = [each.id or 0 for each in _told_of(work)]
    since = col(MemorySession.started_at) >= work.now - LATELY
    sums: dict[str, Weight] = {}
    for weights in _topics(work, keys, since).values():
        for each in weights:
            known = sums.get(each.name, Weight(each.name, 0, each.last))
            sums[each.name] = Weight(each.name, known.sessions + each.sessions, max(known.last, each.last))
    return _ordered(sums.values())


def newest_knowledge(work: Work, most: int, by: str = "") -> list[KnownEntry]:
    """The newest approved entries, with who promoted and approved them; `by`: of the user of that id alone."""
    if not may_tell_knowledge(work):
        return []
    which = [*_APPROVED]
    if by:
        which.append(col(Knowledge.promoted_by_id).in_(select(User.id).where(User.uid == by)))
    rows = work.session.exec(select(Knowledge).where(*which).order_by(col(Knowledge.updated_at).desc()).limit(most))
    names: dict[int | None, str] = dict(work.session.exec(select(User.id, User.username)).all())
    return [
        KnownEntry(
            uid=each.uid,
            title=each.title,
            promoted_by=names.get(each.promoted_by_id, ""),
            approved_by=names.get(each.approved_by_id, ""),
            at=each.updated_at,
        )
        for each in rows
    ]


def may_tell_knowledge(work: Work) -> bool:
    """Whether the scope of the caller's token lets it be told of company knowledge."""
    return bool(kinds_within(work.caller.scope, (work.kinds[Kind.KNOWLEDGE],)))


_TOLD = (
    col(MemorySession.ended_at).is_not(None),
    or_(col(MemorySession.caution) == "", col(MemorySession.accepted_at).is_not(None)),
    col(MemorySession.placement) != "hidden",
)
"""Which sessions count: that ended, that nothing is flagged of, and that their person did not hide."""
_HEADLINED = (
    col(MemorySession.one_liner) != "",
    col(MemorySession.outcome).not_in(("", CLOSED_FROM_KNOWN)),
    not_(col(MemorySession.one_liner).startswith(AUTO_CLOSED, autoescape=True)),
)
"""Whose headline its assistant wrote: BigMind's own, of what nobody ended, repeats private moments and facts."""
_APPROVED = (
    col(Knowledge.status) == "approved",
    or_(col(Knowledge.caution) == "", col(Knowledge.accepted_at).is_not(None)),
)


def _choice(user: User) -> DirectoryChoice:
    try:
        return DirectoryChoice(user.directory)
    except ValueError:  # of a newer version: less is told, not more
        return DirectoryChoice.OFF


def _told_of(work: Work) -> list[User]:
    """Who lets something be told. Where an import keeps rows until they are whole is nobody, and has no name."""
    if work.mode is not Mode.TEAM:
        return []
    users = select(User).where(col(User.disabled_at).is_(None), User.display_name != "")
    return [each for each in work.session.exec(users) if _choice(each) is not DirectoryChoice.OFF]


def _sums(work: Work, keys: Collection[int]) -> dict[int, tuple[int, int]]:
    day: Any = func.date(MemorySession.started_at)
    rows = (
        select(MemorySession.user_id, func.count(), func.count(func.distinct(day)))
        .where(col(MemorySession.user_id).in_(keys), *_TOLD)
        .group_by(col(MemorySession.user_id))
    )
    return {user: (sessions, days) for user, sessions, days in work.session.exec(rows)}


def _topics(work: Work, keys: Collection[int], *more: Any) -> Mapping[int, Sequence[Weight]]:
    rows = (
        select(MemorySession.user_id, SessionTopic.topic, func.count(), func.max(MemorySession.started_at))
        .join(SessionTopic, col(SessionTopic.session_id) == MemorySession.id)
        .where(col(MemorySession.user_id).in_(keys), *_TOLD, *more)
        .group_by(col(MemorySession.user_id), col(SessionTopic.topic))
    )
    return _weighed(work, rows)


def _projects(work: Work, keys: Collection[int]) -> Mapping[int, Sequence[Weight]]:
    rows = (
        select(MemorySession.user_id, MemorySession.project, func.count(), func.max(MemorySession.started_at))
        .where(col(MemorySession.user_id).in_(keys), col(MemorySession.project).is_not(None), *_TOLD)
        .group_by(col(MemorySession.user_id), col(MemorySession.project))
    )
    return _weighed(work, rows)


def _weighed(work: Work, rows: Any) -> Mapping[int, Sequence[Weight]]:
    found: defaultdict[int, list[Weight]] = defaultdict(list)
    grouped = cast("Iterable[tuple[int, str, int, datetime]]", work.session.exec(rows))
    for user, name, sessions, last in grouped:
        found[user].append(Weight(name, sessions, last.date()))
    return defaultdict(list, {user: _ordered(weights) for user, weights in found.items()})


def _ordered(weights: Collection[Weight]) -> list[Weight]:
    return sorted(weights, key=lambda each: (-each.sessions, -each.last.toordinal(), each.name))


def _entries_of(work: Work, keys: Collection[int]) -> dict[int | None, int]:
    rows = (
        select(Knowledge.promoted_by_id, func.count())
        .where(col(Knowledge.promoted_by_id).in_(keys), *_APPROVED)
        .group_by(col(Knowledge.promoted_by_id))
    )
    return dict(work.session.exec(rows).all())
