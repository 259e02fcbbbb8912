"""What stands in single tables, counted: the brain's log, protocol runs, what was served, and what concerns BigMind."""

from sqlalchemy import case, func, select
from sqlmodel import col
from sqlmodel import select as rows_of

from bigmind.brain.query_log import STORED
from bigmind.brain.tables import BrainQuery
from bigmind.core.client_names import token_name
from bigmind.core.events import Action, Kind
from bigmind.people.tables import Token
from bigmind.people.token_format import TokenKind
from bigmind.protocol.tables import ProtocolRun, ProtocolViolation
from bigmind.store.tables import ChangeRow, table_of
from bigmind.store.work import Work
from bigmind.trust.count_sheet import CountSheet
from bigmind.usage.tables import UsageDay, UsageEvent
from bigmind.usage.usage_events import EventKind

TOKENS_BY_HAND = ("token_create", "user_add", "user_token")
"""The operations that make one."""


def count_brain(work: Work, sheet: CountSheet) -> None:
    """Count what agents asked and contributed."""
    log = table_of(BrainQuery).c
    day, is_stored = func.substr(log.created_at, 1, 10), case((log.outcome == STORED, 1), else_=0)
    found = select(func.min(log.created_at), log.client, log.project, is_stored, func.count())
    found = found.where(
        log.user_id == work.caller.user_id, log.created_at >= sheet.query.start, log.created_at < sheet.query.end
    )
    for at, client, project, stored, number in work.session.connection().execute(
        found.group_by(day, log.client, log.project, is_stored)
    ):
        sheet.add(at, client, project, "contributions" if stored else "questions", number)


def count_runs(work: Work, sheet: CountSheet) -> None:
    """Count protocol runs and their violations; what an import or a note brought was not recorded here."""
    query = sheet.query
    mine = (ProtocolRun.user_id == work.caller.user_id, col(ProtocolRun.is_imported).is_(False))
    touched = (col(ProtocolRun.created_at) < query.end, col(ProtocolRun.updated_at) >= query.start)
    for run in work.session.exec(rows_of(ProtocolRun).where(*mine, *touched)):
        sheet.add(run.created_at, run.client, run.project, "runs_started")
        if run.ended_at is not None:
            outcome = "runs_complete" if run.outcome == "COMPLETE" else "runs_incomplete"
            sheet.add(run.ended_at, run.client, run.project, outcome)
    violated = rows_of(ProtocolViolation, ProtocolRun.client, ProtocolRun.project).join(
        ProtocolRun, col(ProtocolRun.id) == ProtocolViolation.run_id
    )
    for each, client, project in work.session.exec(violated.where(*mine)):
        sheet.add(each.at, client, project, "violations")
        if each.recovered_at is not None:
            sheet.add(each.recovered_at, client, project, "violations_recovered")


def count_served(work: Work, sheet: CountSheet) -> None:
    """Count what clients were served, as it is kept; of the last minute it is kept a little later."""
    days = (UsageDay.day >= sheet.query.since.isoformat(), UsageDay.day <= sheet.query.until.isoformat())
    for row in work.session.exec(rows_of(UsageDay).where(UsageDay.user_id == work.caller.user_id, *days)):
        day = sheet.query.since.fromisoformat(row.day)
        numbers = (row.calls, row.tokens, row.sources, row.spared)
        for measure, number in zip(
            ("calls", "tokens_served", "tokens_of_sources", "tokens_spared"), numbers, strict=True
        ):
            sheet.add(day, row.client, row.project, measure, number)


def count_server(work: Work, sheet: CountSheet) -> None:
    """Count stops, kills, pauses and altered hooks."""
    query = sheet.query
    last = rows_of(UsageEvent.kind).where(
        col(UsageEvent.at) < query.start, col(UsageEvent.kind).in_((EventKind.STARTED, EventKind.STOPPED))
    )
    runs = work.session.exec(last.order_by(col(UsageEvent.at).desc(), col(UsageEvent.id).desc()).limit(1)).first()
    found = rows_of(UsageEvent).where(col(UsageEvent.at) >= query.start, col(UsageEvent.at) < query.end)
    for each in work.session.exec(found.order_by(col(UsageEvent.at), col(UsageEvent.id))):
        if each.kind == EventKind.STARTED and runs == EventKind.STARTED:
            sheet.add_other(each.at, None, "server_kills")
        if each.kind == EventKind.STOPPED:
            sheet.add_other(each.at, None, "server_stops")
        if each.kind == EventKind.PAUSED:
            sheet.add_other(each.at, None, "pauses")
        if each.kind == EventKind.HOOKS_ALTERED and each.user_id == work.caller.user_id:
            sheet.add(each.at, each.client, each.project, "hooks_altered")
        if each.kind in {EventKind.STARTED, EventKind.STOPPED}:
            runs = each.kind


def count_tokens(work: Work, sheet: CountSheet) -> None:
    """Count the tokens that were made for agents at the terminal: whoever has the account can make one."""
    made = (
        rows_of(ChangeRow.at, ChangeRow.client, Token.client)
        .join(Token, col(Token.uid) == ChangeRow.entity)
        .where(
            ChangeRow.user_id == work.caller.user_id,
            ChangeRow.kind == Kind.TOKEN,
            ChangeRow.action == Action.CREATED,
            col(ChangeRow.operation).in_(TOKENS_BY_HAND),
            col(ChangeRow.at) >= sheet.query.start,
            col(ChangeRow.at) < sheet.query.end,
        )
    )
    for at, by, client in work.session.exec(made):
        if token_name(by) == TokenKind.CLI:
            sheet.add(at, client, None, "terminal_tokens")
