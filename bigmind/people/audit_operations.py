"""What an admin may ask of the audit log. Not offered to models: it tells of people."""

from typing import Annotated

from pydantic import Field

from bigmind.core.operation import Effect, Role
from bigmind.core.plain_text import LONGEST_USER_NAME
from bigmind.operations.catalogue import for_people
from bigmind.operations.inputs import Line, Since
from bigmind.people import audit
from bigmind.people.audit_answers import AuditList, AuditRow
from bigmind.store.work import Work

MOST = 500


@for_people("Read the audit log", Effect.READ, toolset="people", permission=Role.ADMIN)
def audit_list(
    work: Work,
    user: Annotated[
        Line, Field(min_length=1, max_length=LONGEST_USER_NAME, description="Done by them, or to them; a user's name.")
    ]
    | None = None,
    kind: audit.AuditKind | None = None,
    since: Since | None = None,
    limit: Annotated[int, Field(ge=1, le=MOST)] = 50,
    cursor: Annotated[Line, Field(max_length=200, description="Where the page before ended.")] | None = None,
) -> AuditList:
    """Show who did what to whom, and when: users, tokens, settings, backups, company knowledge; newest first.

    Administrative acts alone: nothing of what anybody keeps for themselves, and not that they keep anything.
    """
    found = audit.audit(work, audit.AuditQuery(user or "", kind, since), limit, cursor)
    rows = [
        AuditRow(number=each.number, at=each.at, by=each.by, client=each.client, kind=each.kind, words=each.words)
        for each in found.acts
    ]
    return AuditList(acts=rows, cursor=found.cursor)


OPERATIONS = (audit_list,)
