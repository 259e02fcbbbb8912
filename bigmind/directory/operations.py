"""What the directory is asked, by people and by a team's assistants. Models read the docstrings: when to call first."""

from collections.abc import Iterable
from functools import partial
from typing import Annotated

from pydantic import Field

from bigmind.core.operation import FOR_PEOPLE, Effect, Mode
from bigmind.core.plain_text import LONGEST_USER_NAME
from bigmind.directory import service, worked_on
from bigmind.directory.answers import (
    DirectoryChosen,
    DirectoryEntry,
    DirectoryFound,
    DirectoryHeadline,
    DirectoryList,
    DirectoryMatch,
    DirectoryPerson,
    DirectoryShared,
    DirectoryWeight,
)
from bigmind.directory.rules import DirectoryChoice
from bigmind.operations.catalogue import operation
from bigmind.operations.inputs import Line, Query
from bigmind.store.work import Work

TOOLSET = "brain"
MOST_NAMED = 10
MOST_OF_ONE = 50
NEWEST = 5

of_team = partial(operation, toolset=TOOLSET, surfaces=FOR_PEOPLE, in_team=True)
"""`@operation` for what a team's assistants are offered, and nobody else's."""


@of_team("Show the directory", Effect.READ)
def directory_list(
    work: Work,
    person: Annotated[
        Line, Field(min_length=1, max_length=LONGEST_USER_NAME, description="More of one: the name of a user.")
    ]
    | None = None,
) -> DirectoryList:
    """Call this to see who works on what on this team's server, and what the directory tells of the user."""
    shown = [service.card(work, person)] if person else service.cards(work)
    most = MOST_OF_ONE if person else MOST_NAMED
    is_team = work.mode is Mode.TEAM
    return DirectoryList(
        is_team=is_team,
        your_choice=service.choice_of(work),
        people=[_person(work, each, most, whole=bool(person)) for each in shown],
        sessions=sum(each.sessions for each in shown),
        lately=_weights(service.lately(work)[:MOST_NAMED]) if is_team and not person else [],
        newest=_entries(work, shown[0].uid if person else "") if is_team else [],
    )


@of_team("Find who worked on something", Effect.READ)
def directory_find(
    work: Work,
    query: Annotated[Query, Field(description="What somebody may have worked on, in your words.")],
    limit: Annotated[int, Field(ge=1, le=50, description="How many people, and how many shared things, at most.")] = 10,
) -> DirectoryFound:
    """Call this when the user asks “Who worked on X?” or who knows about it: people, and what they shared of it.

    Private facts and moments are never looked through.
    """
    found = worked_on.who_worked_on(work, query, limit)
    return DirectoryFound(
        is_team=work.mode is Mode.TEAM,
        your_choice=service.choice_of(work),
        query=query,
        people=[
            DirectoryMatch(
                user_id=each.card.uid,
                username=each.card.username,
                display_name=each.card.display_name,
                last_seen=each.card.last_seen,
                topics=_weights(each.topics),
                projects=_weights(each.projects),
                headlines=[DirectoryHeadline(day=line.day, text=line.text) for line in each.headlines],
            )
            for each in found.people
        ],
        shared=[
            DirectoryShared(kind=each.kind, id=each.uid, text=each.text, by=each.by, at=each.at)
            for each in found.shared
        ],
        words_only=found.words_only,
    )


@of_team("Choose what the directory tells of you", Effect.WRITE, idempotent=True, while_paused=True)
def directory_choose(
    work: Work,
    choice: Annotated[
        DirectoryChoice,
        Field(description="off: nothing; topics: topics, projects and days; headlines: also what sessions were about."),
    ],
) -> DirectoryChosen:
    """Call this only when the user asks to change what the directory tells the team of them: at first, topics."""
    service.choose(work, choice)
    return DirectoryChosen(choice=choice, is_team=work.mode is Mode.TEAM)


def _person(work: Work, card: service.Card, most: int, *, whole: bool) -> DirectoryPerson:
    lines = service.headlines(work, card) if whole else []
    return DirectoryPerson(
        user_id=card.uid,
        username=card.username,
        display_name=card.display_name,
        role=card.role,
        first_seen=card.first_seen,
        last_seen=card.last_seen,
        sessions=card.sessions,
        days=card.days,
        topics=_weights(card.topics[:most]),
        projects=_weights(card.projects[:most]),
        entries=card.entries,
        headlines=[DirectoryHeadline(day=each.day, text=each.text) for each in lines],
        is_you=card.is_you,
    )


def _weights(weights: Iterable[service.Weight]) -> list[DirectoryWeight]:
    return [DirectoryWeight(name=each.name, sessions=each.sessions, last=each.last) for each in weights]


def _entries(work: Work, by: str) -> list[DirectoryEntry]:
    return [
        DirectoryEntry(
            entry_id=each.uid, title=each.title, promoted_by=each.promoted_by, approved_by=each.approved_by, at=each.at
        )
        for each in service.newest_knowledge(work, NEWEST, by)
    ]


OPERATIONS = (directory_list, directory_find, directory_choose)
