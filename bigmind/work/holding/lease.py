"""How long a claim lasts: any call of its holder renews it, and only some of them write that down."""

from datetime import datetime, timedelta
from typing import Protocol

from bigmind.brain.evidence import newest_of
from bigmind.flow.workflow import Process
from bigmind.people.agent_names import shown_agent
from bigmind.store.work import Work
from bigmind.work.roles import agent_of
from bigmind.work.tables import WorkItem


class Held(Protocol):
    """What of an item its lease rests on; a row, or the columns of one."""

    @property
    def holder(self) -> str: ...
    @property
    def holder_client(self) -> str: ...
    @property
    def holder_user_id(self) -> int | None: ...
    @property
    def lease_until(self) -> datetime | None: ...


def lease_of(work: Work) -> timedelta:
    """How long a claim lasts without a call of its holder."""
    return timedelta(minutes=work.host.settings.now().work_lease_minutes)


def lease_end(work: Work, row: Held) -> datetime | None:
    """When the lease of an item's holder runs out, unless they call until then; None where nobody holds it."""
    if not row.holder or row.lease_until is None:
        return None
    holder = (row.holder_user_id or 0, row.holder_client)
    calls = (work.host.activity.heard(*holder), newest_of(work, *holder))  # the first is not known after a restart
    return max([row.lease_until, *(at + lease_of(work) for at in calls if at is not None)])


def lease_has_run_out(work: Work, row: Held) -> bool:
    """Whether nothing was heard of an item's holder for the length of a lease."""
    if not row.holder or row.lease_until is None or row.lease_until > work.now:
        return False
    until = lease_end(work, row)
    return until is not None and until <= work.now


def held_in_words(work: Work, row: WorkItem, process: Process) -> str:
    """Who holds an item, until when, and what ends that, for another agent that would move it."""
    holder, until = shown_agent(row.holder), lease_end(work, row)
    if until is None or not process.states[row.state].is_claimed:
        return f"{holder} holds it."
    if until <= work.now:
        return f"{holder} holds it, and the lease has run out: who claims it, to {row.state}, takes it over."
    return f"{holder} holds it until {until:%H:%M} UTC; any call of {holder}'s goes on renewing that."


def renew(work: Work, row: WorkItem) -> None:
    """Renew the lease of whoever holds an item and calls."""
    if row.holder and row.holder == agent_of(work):
        row.lease_until = work.now + lease_of(work)
        work.session.add(row)
