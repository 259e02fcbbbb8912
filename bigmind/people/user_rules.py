"""The rules of who may act: nobody as a user who is disabled, and never without an admin."""

import shlex

from sqlmodel import col, select

from bigmind.core.clock import local
from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import Action
from bigmind.core.operation import Role
from bigmind.people.tables import User
from bigmind.store.work import Work


def refuse_disabled(user: User) -> None:
    """Refuse who is disabled, for whom no token is made.

    Raises:
        BigMindError: `forbidden`.
    """
    if user.disabled_at is not None:
        raise BigMindError(
            Code.FORBIDDEN,
            f"{user.username} is disabled since {local(user.disabled_at)}: nobody gets in as them.",
            "user_enable lets them in again; an admin does it.",
        )


def refuse_start(work: Work, user: User) -> None:
    """Refuse to run BigMind for somebody who is disabled in its memory.

    Raises:
        BigMindError: `forbidden`, with what the person at this machine can do.
    """
    if user.disabled_at is None:
        return
    admin = next((each.username for each in _admins(work)), "somebody")
    name = shlex.quote(user.username)
    raise BigMindError(
        Code.FORBIDDEN,
        f"BigMind is to run for {user.username}, who is disabled in this memory since {local(user.disabled_at)}.",
        f"Start it as somebody else: BIGMIND_USER={shlex.quote(admin)}, or `user` in the settings file. There, an "
        f"admin lets {user.username} in again: `bigmind user enable {name}`.",
    )


def refuse_former_admin(work: Work) -> None:
    """Refuse a request that began before its sender's role was taken, or access ended: two admins at once, say.

    Raises:
        BigMindError: `forbidden`.
    """
    if work.caller.user_id not in {each.id for each in _admins(work)}:
        raise BigMindError(Code.FORBIDDEN, f"This needs the role {Role.ADMIN}, which is not yours any more.")


def role_given(role: Role) -> Action:
    """What the audit log notes of a user who has that role from now on."""
    return Action(f"made_{role}")


def _admins(work: Work) -> list[User]:
    """Who may do everything, the oldest first: a disabled admin does not count."""
    query = select(User).where(User.role == Role.ADMIN, col(User.disabled_at).is_(None))
    return list(work.session.exec(query.order_by(col(User.id))))


def keep_an_admin(work: Work, user: User) -> None:
    """Refuse that a user is no admin any more when there is no other.

    Raises:
        BigMindError: `conflict`.
    """
    if [each.id for each in _admins(work)] == [user.id]:
        raise BigMindError(
            Code.CONFLICT,
            f"{user.username} is the only admin, and somebody has to be.",
            "Make another user admin first: user_role.",
        )
