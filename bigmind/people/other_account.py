"""A data folder that came to an account of another name: its person meets an empty memory, beside the full one."""

import json

from sqlmodel import col, select

from bigmind.core.operation import Mode, Role
from bigmind.people.tables import User
from bigmind.store.work import Work


def memory_of_another(work: Work) -> str:
    """That the memory is another user's, and how it becomes this person's; empty where it is not.

    For the person of this machine alone, and only where nobody chose the user: the account is merely called otherwise,
    as on another machine to which the folder was copied.
    """
    caller, host = work.caller, work.host
    is_asked = work.mode is Mode.PERSONAL and host.owner_id == caller.user_id and not host.settings.text("user")
    if not is_asked or caller.role.includes(Role.ADMIN):
        return ""
    first = work.session.exec(select(User.username).order_by(col(User.id)).limit(1)).one()
    if first == caller.username:  # whose role was taken
        return ""
    return (
        f"This is the memory of {first}, and your account is called {caller.username}: what {first} stored is not "
        f"shown to you. If you are {first}, write `user = {_quoted(first)}` into {host.settings.file} and "
        f"start BigMind again. If not, write `user = {_quoted(caller.username)}` there, and this is told no more."
    )


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)
