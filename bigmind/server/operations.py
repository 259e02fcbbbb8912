"""What a person may ask of the running server. Not offered to models."""

import os
from typing import Annotated

from pydantic import Field

from bigmind import VERSION
from bigmind.clients.port_change import REPAIR, moved
from bigmind.core.desktop import Shown
from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Effect, Role, Surface
from bigmind.disk.trouble import disk_trouble
from bigmind.maintenance.statistics import meaning_in_words
from bigmind.operations.catalogue import Answer, for_people
from bigmind.operations.inputs import Line
from bigmind.people.other_account import memory_of_another
from bigmind.search.model_state import progress
from bigmind.store.work import Work

# All of them are READ: what they change is the server, not the store, so that they need no writer, wait for none, and
# work while BigMind is paused.

API_ONLY = frozenset({Surface.API})


class ServerStatus(Answer):
    """The running server; `ignored` names what is set and means nothing to it.

    `desktop` says whether it has a window of its own; `start_at_login` is null where that cannot be set; `clients`
    are those that called within the last five minutes; `trouble` says what is wrong with the memory or its disk, and
    what mends it; `moved` that clients call a port that it left.
    """

    version: str
    pid: int
    profile_url: str
    bytes_on_disk: int
    backups: str
    meaning: str
    paused: bool
    desktop: bool
    start_at_login: bool | None
    clients: int
    user: str
    database: str
    ignored: list[str]
    trouble: str = ""
    moved: str = ""

    def as_text(self) -> str:
        return f"BigMind {self.version} runs as process {self.pid}; its pages are at {self.profile_url}."


class SignInLink(Answer):
    """A link that signs one browser in, once, within ten minutes."""

    url: str

    def as_text(self) -> str:
        return self.url


class Stopping(Answer):
    """The server is on its way out."""

    pid: int

    def as_text(self) -> str:
        return f"BigMind (process {self.pid}) is stopping; everything is stored."


class ShownPage(Answer):
    """Where the person sees their memory now: in BigMind's window, in their browser, or nowhere."""

    shown: Shown

    def as_text(self) -> str:
        return {
            Shown.WINDOW: "It is shown in BigMind's window.",
            Shown.BROWSER: "It is shown in the browser; if that shows an error, `bigmind open` prints a link to paste.",
            Shown.NOTHING: "There is neither a window nor a browser here; `bigmind open` prints a link.",
        }[self.shown]


class Paused(Answer):
    """Whether the memory is paused."""

    paused: bool

    def as_text(self) -> str:
        return "BigMind is paused: nothing changes the memory." if self.paused else "BigMind is not paused."


class StartAtLogin(Answer):
    """Whether BigMind starts when the person logs in."""

    start_at_login: bool

    def as_text(self) -> str:
        return f"BigMind {'starts' if self.start_at_login else 'does not start'} at login."


def _trouble(work: Work) -> str:
    keeping = work.store.safekeeping
    if loss := keeping.loss:
        return f"{loss.in_words} {loss.remedy}"
    damage = f"{keeping.condition.in_words} {work.host.restorable_in_words()}".strip()
    return damage or disk_trouble(work.store.path.parent) or memory_of_another(work)


@for_people("Server status", Effect.READ, toolset="server", surfaces=API_ONLY)
def server_status(work: Work) -> ServerStatus:
    """Where the server is and how large the store."""
    host = work.host
    return ServerStatus(
        version=VERSION,
        pid=os.getpid(),
        profile_url=host.profile_url,
        bytes_on_disk=work.store.size_in_bytes(),
        backups=host.backups_in_words(),
        meaning=meaning_in_words(work, progress(work)),
        paused=host.activity.is_paused,
        desktop=host.desktop.has_window(),
        start_at_login=host.desktop.starts_at_login(),
        clients=len(host.activity.clients()),
        user=work.caller.username,
        database=str(work.store.path),
        ignored=host.settings.unknown,
        moved=f"{away.in_words} {away.consequence} {REPAIR}" if (away := moved(work)) else "",
        trouble=_trouble(work),
    )


@for_people("Sign-in link", Effect.READ, toolset="server", surfaces=API_ONLY)
def server_sign_in_link(
    work: Work,
    client: Annotated[
        Line, Field(min_length=1, max_length=80, description="The name its token is listed under.")
    ] = "browser",
) -> SignInLink:
    """A one-time link that signs a browser in."""
    return SignInLink(url=work.host.sign_in_url(work.caller, client))


@for_people("Show the memory", Effect.READ, toolset="server", surfaces=API_ONLY)
def server_show(work: Work) -> ShownPage:
    """Bring BigMind's window forward, or open the page in the browser where there is no window."""
    return ShownPage(shown=work.host.open_profile(work.caller))


@for_people("Pause", Effect.READ, toolset="server", surfaces=API_ONLY, permission=Role.ADMIN)
def server_pause(work: Work, paused: bool) -> Paused:
    """Pause the memory, so that nothing changes it, or resume it. A restart resumes."""
    work.host.activity.pause(paused=paused, place=work.caller.presence)
    return Paused(paused=paused)


@for_people("Start at login", Effect.READ, toolset="server", surfaces=API_ONLY, permission=Role.ADMIN)
def server_start_at_login(work: Work, enabled: bool) -> StartAtLogin:
    """Have BigMind start, without a window, when the person logs in; or not."""
    desktop = work.host.desktop
    if desktop.starts_at_login() is None:
        raise BigMindError(
            Code.UNAVAILABLE,
            "Starting at login cannot be set here.",
            "It is set by BigMind's own process on a desktop: start it with `bigmind app`.",
        )
    desktop.start_at_login(enabled=enabled)
    return StartAtLogin(start_at_login=enabled)


@for_people("Stop the server", Effect.READ, toolset="server", surfaces=API_ONLY)
def server_stop(work: Work) -> Stopping:
    """End the server cleanly, after its running writes: the right of whom it runs for, and of admins."""
    role = work.caller.role
    if not role.includes(Role.ADMIN) and work.host.owner_id != work.caller.user_id:
        raise BigMindError(
            Code.FORBIDDEN,
            f"server_stop needs the role {Role.ADMIN}, or to be whom this BigMind runs for; yours is {role}.",
        )
    work.host.stop()
    return Stopping(pid=os.getpid())


OPERATIONS = (
    server_status,
    server_sign_in_link,
    server_show,
    server_pause,
    server_start_at_login,
    server_stop,
)
