"""What admins may do with users: give a role, and keep somebody out."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from pydantic import Field

from bigmind.core.clock import local
from bigmind.core.operation import Effect, Offer, Role
from bigmind.core.plain_text import LONGEST_USER_NAME
from bigmind.operations.catalogue import Answer, for_people
from bigmind.operations.inputs import Line
from bigmind.people.administration import change_role, disable, enable
from bigmind.store.work import Work
from bigmind.text.phrasing import counted, plain

UserName = Annotated[Line, Field(min_length=1, max_length=LONGEST_USER_NAME, description="As user_list shows it.")]


class UserRole(Answer):
    """What a user may do now."""

    username: str
    role: Role
    is_you: bool

    def as_text(self) -> str:
        article = "an" if self.role is Role.ADMIN else "a"
        return f"{plain(self.username)} is {article} {self.role} now."


class DisabledUser(Answer):
    """Who is kept out from now on."""

    username: str
    disabled_at: datetime
    tokens: int = Field(description="How many were valid until now.")

    def as_text(self) -> str:
        return (
            f"{plain(self.username)} is disabled since {local(self.disabled_at)}: {counted(self.tokens, 'token')} "
            "revoked, and none can be made. What they kept stays."
        )


class EnabledUser(Answer):
    """Who may come in again."""

    username: str
    was_disabled: bool

    def as_text(self) -> str:
        if not self.was_disabled:
            return f"{plain(self.username)} was not disabled: nothing changed."
        return f"{plain(self.username)} is enabled. Their old tokens stay ended."

    def hints(self, offer: Offer) -> Sequence[str]:
        del offer
        return ("user_token makes a new one.",) if self.was_disabled else ()


@for_people(
    "Change a user's role", Effect.WRITE, toolset="people", while_paused=True, permission=Role.ADMIN, idempotent=True
)
def user_role(
    work: Work,
    username: UserName,
    role: Annotated[
        Role, Field(description="A member promotes knowledge, a curator approves it, an admin manages users too.")
    ],
) -> UserRole:
    """Change what a user may do, at once; the last admin stays one."""
    user = change_role(work, username, role)
    return UserRole(username=user.username, role=Role(user.role), is_you=user.id == work.caller.user_id)


@for_people(
    "Disable a user", Effect.DESTRUCTIVE, toolset="people", while_paused=True, permission=Role.ADMIN, idempotent=True
)
def user_disable(work: Work, username: UserName) -> DisabledUser:
    """Keep another user out, at once: every token ends, and none can be made. What they kept stays."""
    user, tokens = disable(work, username)
    return DisabledUser(username=user.username, disabled_at=user.disabled_at or work.now, tokens=tokens)


@for_people("Enable a user", Effect.WRITE, toolset="people", while_paused=True, permission=Role.ADMIN, idempotent=True)
def user_enable(work: Work, username: UserName) -> EnabledUser:
    """Let a disabled user in again; user_token makes them a new token."""
    user, was_disabled = enable(work, username)
    return EnabledUser(username=user.username, was_disabled=was_disabled)


OPERATIONS = (user_role, user_disable, user_enable)
