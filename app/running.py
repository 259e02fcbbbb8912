"""What runs behind the lock: the open memory with what stands around it, and its server.

Everything heavy but the pages is imported here, and this once the lock is held: a second process, which is turned away
there, loads none of it.
"""

import gc
import logging
import socket
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from app.assembly import assemble
from app.desktop.control import PersonsDesktop
from app.lifecycle import Lifecycle
from app.meaning_search import MeaningSearch
from app.server_host import SignInLinks, server_host
from app.warming import WarmUp
from app.web_server.serving import ServerThread
from bigmind.backup.schedule import Schedule
from bigmind.clients.hook_watch import HookWatch
from bigmind.clients.launcher import make_launcher
from bigmind.clients.port_change import keep_port_called
from bigmind.core.errors import BigMindError
from bigmind.core.operation import Caller
from bigmind.local.runfile import RunningServer
from bigmind.maintenance.aging import AgingWatch
from bigmind.paths import compiled_folder
from bigmind.people.passphrases import Passphrases
from bigmind.people.service import person
from bigmind.people.sign_in_codes import SignIn
from bigmind.protocol.check_runner import CHECKS
from bigmind.server.update_look import UpdateLook
from bigmind.settings.rows import Settings
from bigmind.store.ownership import Ownership
from bigmind.usage.keeper import UseKeeper
from bigmind.usage.server_run import ServerRun
from bigmind.wiring import Mind, open_mind

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OpenMemory:
    """The open store, and what stands around it.

    Attributes:
        mind: the memory.
        person: whose window it is.
        desktop: with that window.
        links: sign a person in.
        schedule: of backups.
        meaning: search by meaning.
        use: keeps how clients use it.
        run: says when the server started and ended.
        hooks: looks whether clients' hooks are as BigMind wrote them.
        warm_up: loads what the first of them need.
        updates: asks for newer versions, where a person wants that.
        aging: removes what has had its time.
    """

    mind: Mind
    person: Caller
    desktop: PersonsDesktop
    links: SignInLinks
    schedule: Schedule
    meaning: MeaningSearch
    use: UseKeeper
    run: ServerRun
    hooks: HookWatch
    warm_up: WarmUp
    updates: UpdateLook
    aging: AgingWatch

    def go_on(self) -> None:
        """Begin what nobody waits for."""
        self.run.start()
        self.schedule.start()
        self.use.start()
        self.hooks.start()
        self.meaning.start()
        self.warm_up.start()
        self.updates.start()
        self.aging.start()


def open_memory(
    life: Lifecycle,
    told: Settings,
    ownership: Ownership,
    desktop: PersonsDesktop,
    address: str,
    stop: Callable[[], None],
) -> OpenMemory:
    """Open the store, and make what stands around it; each is ended by `life`.

    Args:
        life: undoes it.
        told: the settings of this process.
        ownership: of the store.
        desktop: with the person's window.
        address: of the server.
        stop: ends BigMind.

    Raises:
        BigMindError: as `open_mind`.
    """
    mind = life.begin(
        "the store",
        lambda: open_mind(
            told.home, told.user, ownership=ownership, mode=told.mode, backups=told.backup_folder, file=told.store
        ),
        Mind.close,
    )
    store = mind.store
    life.undo("the checks of runs", CHECKS.close)
    run = ServerRun(store)
    life.undo("the note of its end", run.stop)
    use = UseKeeper(store)
    life.undo("the use of clients", use.stop)
    schedule = Schedule(store, timedelta(hours=told.backup_hours))
    life.undo("the schedule of backups", schedule.stop)
    meaning = MeaningSearch(store, wanted=told.meaning)
    life.undo("search by meaning", meaning.stop)
    owner, links = person(store, told.user), SignInLinks(SignIn(store), address)
    store.host = server_host(store, links, meaning=meaning.meaning, desktop=desktop, owner_id=owner.user_id, stop=stop)
    links.sign_in.screen.offer(owner, desktop)
    hooks = HookWatch(store, owner)
    life.undo("the look at hooks", hooks.stop)
    warm_up = WarmUp(store, owner)
    life.undo("the warm-up", warm_up.stop)
    updates = UpdateLook(lambda: store.host)
    life.undo("the look for newer versions", updates.stop)
    aging = AgingWatch(store)
    life.undo("the look at what has had its time", aging.stop)
    return OpenMemory(mind, owner, desktop, links, schedule, meaning, use, run, hooks, warm_up, updates, aging)


def begin_server(
    life: Lifecycle, memory: OpenMemory, server: RunningServer, listener: socket.socket, ended: Callable[[], None]
) -> ServerThread:
    """Serve the memory on a thread of its own, which `life` ends; `ended` is called when it ends by itself."""
    home = memory.mind.store.home
    _keep_launcher(home)
    assembled = assemble(
        memory.mind,
        memory.links.sign_in,
        server.port,
        server.key,
        is_told=True,
        templates=compiled_folder(home),
    )
    thread = ServerThread(assembled, listener, ended)
    life.undo("the server", thread.stop)
    thread.start()
    return thread


def window_link(memory: OpenMemory, thread: ServerThread) -> str:
    """An address that signs the person's window in; what it will ask for is loaded while its process starts."""
    thread.begin_loading_pages()
    return memory.links.window(memory.person)


def printed_link(mind: Mind, links: SignInLinks, owner: Caller, *, is_alone: bool) -> str:
    """The address that a start prints.

    By the very first one of a server that runs `is_alone`, without a window, its owner may set a passphrase.
    """
    is_first = is_alone and mind.is_first_start and Passphrases(mind.store.home).is_untouched(owner.username)
    return links.first(owner) if is_first else links.browser(owner)


def keep_port(memory: OpenMemory) -> None:
    """Clients may have been connected by a version that kept none, or edited by hand since."""
    try:
        with memory.mind.store.read(memory.person, "port") as work:
            keep_port_called(work)
    except BigMindError as error:
        log.warning("which port clients call is not known: %s", error)


def go_on_warm(thread: ServerThread) -> None:
    """Let clients have what takes long to load, and keep what is loaded."""
    thread.allow_loading()
    # What is imported stays. Looking through it for garbage, which many answers cause, holds up a request for 50 ms.
    gc.enable()
    gc.collect()
    gc.freeze()


def _keep_launcher(home: Path) -> None:
    """What the pages show works once it is pasted into a client's settings, before anything is installed."""
    try:
        make_launcher(home)
    except OSError as error:  # on a full disk; an install says so too
        log.warning("what clients start could not be written: %s", error)
