"""The report of usage: all counts of the days that are asked for, and what stands beside them."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import col, select

from bigmind.protocol.tables import ProtocolRun
from bigmind.store.work import Work
from bigmind.trust.conversation_counts import count_conversations
from bigmind.trust.count_sheet import Cast, CountedUsage, CountSheet, UsageQuery, client_of
from bigmind.trust.ledger_counts import LedgerTale, count_ledger
from bigmind.trust.other_counts import count_brain, count_runs, count_served, count_server, count_tokens
from bigmind.trust.uncovered_commits import WorkspaceCommits, commits_of, watched_workspaces

MOST_RUNS = 12


@dataclass(frozen=True, slots=True)
class UsageReport:
    """What was recorded on some days.

    Attributes:
        counted: the counts.
        tale: the pieces of work and each yes, as the ledger tells them.
        runs: the newest protocol runs that were open then.
    """

    counted: CountedUsage
    tale: LedgerTale
    runs: Sequence[ProtocolRun]


def usage_report(work: Work, query: UsageQuery) -> UsageReport:
    """What was recorded of the caller's agents."""
    sheet = CountSheet(query, Cast.of(work))
    count_conversations(work, sheet)
    count_brain(work, sheet)
    tale = count_ledger(work, sheet)
    for count in (count_runs, count_served, count_server, count_tokens):
        count(work, sheet)
    return UsageReport(CountedUsage(query, sheet.counts), tale, _runs(work, sheet))


def commit_report(work: Work, query: UsageQuery) -> list[WorkspaceCommits]:
    """The commits of the caller's opened workspaces that no claim and no run covers; asks git, which takes a while."""
    return [commits_of(each, query) for each in watched_workspaces(work, query)]


def _runs(work: Work, sheet: CountSheet) -> list[ProtocolRun]:
    query = sheet.query
    mine = (ProtocolRun.user_id == work.caller.user_id, col(ProtocolRun.is_imported).is_(False))
    then = (col(ProtocolRun.created_at) < query.end, col(ProtocolRun.updated_at) >= query.start)
    found = work.session.exec(select(ProtocolRun).where(*mine, *then).order_by(col(ProtocolRun.id).desc()))
    asked = (
        each
        for each in found
        if query.project in {"", sheet.cast.project(each.project) or "-"}
        and query.client in {"", client_of(sheet.cast.agent(each.client))}
    )
    return [each for each, _ in zip(asked, range(MOST_RUNS), strict=False)]
