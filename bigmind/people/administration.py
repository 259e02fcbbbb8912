"""Use cases of admins: what role a user has, and whether anybody gets in as them."""

from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import Action, Kind
from bigmind.core.operation import Role
from bigmind.people.service import active_tokens, end_token, known_user, other_user
from bigmind.people.tables import User
from bigmind.people.user_rules import keep_an_admin, refuse_former_admin, role_given
from bigmind.store.work import Work


def change_role(work: Work, username: str, role: Role) -> User:
    """Give a user another role, which counts at once.

    Raises:
        BigMindError: `not_found`; `conflict`, when nobody would be admin then.
    """
    refuse_former_admin(work)
    user = known_user(work, username)
    if not role.includes(Role.ADMIN):
        keep_an_admin(work, user)
    if user.role != role:
        user.role = role
        work.session.add(user)
        work.changed(Kind.USER, user.uid, role_given(role))
    return user


def disable(work: Work, username: str) -> tuple[User, int]:
    """Let nobody in as another user any more; how many tokens that ended. What they kept stays.

    Raises:
        BigMindError: `not_found`; `conflict` for the caller, for whom this BigMind runs for, and for the last admin.
    """
    refuse_former_admin(work)
    user = other_user(work, username, "Another admin can disable you.")
    if user.id == work.host.owner_id:
        raise BigMindError(
            Code.CONFLICT,
            f"This BigMind runs for {user.username}.",
            "Stop it and start it as another user (BIGMIND_USER, or `user` in the settings file); then disable them. "
            "user_role takes a role away now, and user_sign_out ends their tokens.",
        )
    keep_an_admin(work, user)
    tokens = active_tokens(work, user.id)
    for token in tokens:
        end_token(work, token)
    if user.disabled_at is None:
        user.disabled_at = work.now
        work.session.add(user)
        work.changed(Kind.USER, user.uid, Action.DISABLED)
    return user, len(tokens)


def enable(work: Work, username: str) -> tuple[User, bool]:
    """Let a user in again, with new tokens: those that there were stay ended. Whether they were disabled.

    Raises:
        BigMindError: `not_found`.
    """
    refuse_former_admin(work)
    user = known_user(work, username)
    was_disabled = user.disabled_at is not None
    if was_disabled:
        user.disabled_at = None
        work.session.add(user)
        work.changed(Kind.USER, user.uid, Action.ENABLED)
    return user, was_disabled
