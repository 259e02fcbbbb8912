"""What stands around every page, and the one way a page is read and rendered."""

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import anyio.to_thread
from litestar import Response
from litestar.enums import MediaType

from bigmind.backup.files import Backup, newest_in
from bigmind.backup.restore_offer import Offer, offer
from bigmind.clients.port_change import PortChange, moved
from bigmind.core.activity import LATELY_SECONDS
from bigmind.core.desktop import WINDOW_CLIENT
from bigmind.core.errors import HTTP_STATUS, BigMindError, Code
from bigmind.core.operation import Caller, Mode, Operation, Presence, Role, may_name_any
from bigmind.disk.trouble import disk_trouble
from bigmind.http.api import AnyRequest, caller_of
from bigmind.http.guard import cookie_value
from bigmind.local.command_line import typed_command
from bigmind.maintenance.answers import Stats
from bigmind.maintenance.review import revision
from bigmind.maintenance.statistics import stats
from bigmind.memory.sessions.overview import LastWrite, last_write, newest_change
from bigmind.people.other_account import memory_of_another
from bigmind.people.service import display_name
from bigmind.settings.live import LiveSettings
from bigmind.settings.parsers import Theme
from bigmind.store.backup_keeping import MemoryLoss
from bigmind.store.condition import DamagedError
from bigmind.store.work import Work
from bigmind.wiring import Mind
from ui.flash import FlashMessage, FlashMessages
from ui.forms.csrf import signed_form_token
from ui.forms.in_person import hand_of
from ui.page import Page
from ui.page_headers import PAGE_HEADERS
from ui.render import render

log = logging.getLogger(__name__)

Html = Response[str]
Told = Mapping[str, Any]
T = TypeVar("T")

CHANGE_HEADER = "BigMind-Change"
"""The number of the newest change that a page shows, for live updates."""

_OWN_HANDS = frozenset({"browser", "window", "terminal", "cli"})
"""What a person's own writing is noted under."""

_OF_THE_REQUEST = frozenset({Code.NOT_FOUND, Code.INVALID_INPUT, Code.AMBIGUOUS, Code.FORBIDDEN})
"""Faults that a page among the others explains; of those of the store, there is no page to put them into."""

_HOLDS_TEXT = re.compile(r"/actions/\w*(edit|refine|correct|update|consolidate)")
"""Actions whose form holds what a person wrote of a thing that is there."""


WITHOUT_MEMORY = frozenset({"search", "portable", "ides", "health", "settings"})
"""Pages that say themselves that the memory is missing, or are needed to bring it back."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The shell's own data.

    Attributes:
        current: the navigation entry that is marked.
        username: whose memory it is.
        totals: for the counts of the navigation.
        written: when memory last changed; None when it never did.
        change: the number of the newest change the page shows; live updates go on from it.
        form_token: for the sign-out form.
        host: the address by which the browser knows this server.
        role: what the person may do.
        theme: `light` or `dark`; empty follows the system.
        single_keys: whether a single key does something.
        paused: whether nothing may change the memory.
        loss: what the memory lacks that its backups hold; None where nothing is missing.
        damage: that the memory is damaged, in a sentence; empty while it is whole.
        disk: that the disk takes nothing, in a sentence; empty while it does.
        another: that the memory is another user's, in sentences; empty where it is not.
        moved: where connected clients call that BigMind left; None where all is well.
        said: what was done on the page before.
        display_name: how the person is called.
        clients: how many assistants called within the last five minutes.
        backup: the newest backup that was verified; None when there is none, or its folder cannot be read.
        problems: what the last health check found that wants mending.
        code: that a browser on this machine is waiting for; in the window only.
        is_window: whether BigMind's own window shows it: no code signs that in again.
        is_first: whether this browser may set the first passphrase now.
        navigation: the pages there are, for this person.
    """

    current: str
    username: str
    totals: Stats
    written: LastWrite | None
    change: int
    form_token: str
    host: str
    role: Role
    theme: str
    single_keys: bool
    paused: bool
    loss: MemoryLoss | None
    damage: str
    disk: str
    another: str
    moved: PortChange | None
    said: FlashMessage | None
    display_name: str
    problems: int
    clients: int
    backup: Backup | None
    is_window: bool
    is_first: bool
    code: str
    navigation: Sequence[Page]

    def may(self, role: str) -> bool:
        """Whether the person may do what needs that role."""
        return self.role.includes(Role(role))

    @property
    def shows_memory(self) -> bool:
        """Whether the page says what is stored: not while the memory is missing, for there it would say nothing is."""
        return self.loss is None or self.current in WITHOUT_MEMORY

    @property
    def written_by(self) -> str:
        """Who wrote last: the person themselves, or an assistant by its name."""
        client = self.written.client if self.written else ""
        return "you" if client in _OWN_HANDS or client.startswith(WINDOW_CLIENT) else client

    def waits(self, page: Page) -> int:
        """How many things wait for the person on a page."""
        return page.waits(self.totals) + (self.problems if page.name == "health" else 0)

    def waits_for(self, page: Page) -> str:
        """What they wait for, in words: the same that the page counts."""
        number = page.waits(self.totals)
        told = [f"{number:,} {page.waits_for}"] if number else []
        if page.name == "health" and self.problems:
            told.append(f"{self.problems:,} found by the last check")
        return "; ".join(told)


class Shell:
    """Reads and renders pages for whoever the guard says is calling."""

    def __init__(
        self,
        mind: Mind,
        cookie: str,
        sayings: FlashMessages,
        pages: Sequence[Page],
        problems: Callable[[Caller], int] = lambda _: 0,
        code: Callable[[Caller], str] = lambda _: "",
        is_first: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """Pages of `mind`.

        `problems` counts what the last health check found, `code` is for the caller's window, and `is_first` tells by
        a browser's cookie whether it signed in first of all.
        """
        self._mind = mind
        self._pages = pages
        self._problems = problems
        self._code = code
        self._is_first = is_first
        self._cookie = cookie
        self._sayings = sayings

    async def page(
        self,
        request: AnyRequest,
        template: str,
        current: str,
        tell: Callable[[Work], Told],
        looks: Callable[[Work], Callable[[], Told]] | None = None,
    ) -> Html:
        """A whole page, read on a worker thread.

        Args:
            request: for what is asked.
            template: of the page.
            current: the navigation entry that is marked.
            tell: what the template needs beside the frame.
            looks: the same of what lies outside of the store, such as a workspace: it is looked at before the page is
                read, so that nobody waits for a connection meanwhile.
        """
        seen: Told = {}

        def build(work: Work) -> Html:
            status, shown = 200, template
            try:
                told = {**tell(work), **seen}
            except BigMindError as error:
                if error.code not in _OF_THE_REQUEST:
                    raise
                code = Code.NOT_FOUND if error.missing else error.code
                shown, told, status = "problem.html", {"error": error}, HTTP_STATUS[code]
            frame = self._frame(request, work, current)
            page = html(render(shown, {"frame": frame, **_around(work), **told}), status)
            page.headers[CHANGE_HEADER] = str(frame.change)
            return page

        try:
            if looks is not None:
                seen = await self._mind.dispatcher.look(caller_of(request), "page", looks)
            return await self._read(request, build)
        except DamagedError as error:
            return await anyio.to_thread.run_sync(self._damaged, request, error)
        except BigMindError as error:
            return problem_page(request, error)

    async def fragment(self, request: AnyRequest, template: str, tell: Callable[[Work], Told]) -> Html:
        """A part of a page, for a page that is open already; read on a worker thread."""

        def build(work: Work) -> Html:
            return html(render(template, {**_around(work), **tell(work)}), 200)

        try:
            return await self._read(request, build)
        except BigMindError as error:
            return problem_page(request, error)

    async def _read(self, request: AnyRequest, build: Callable[[Work], Html]) -> Html:
        return await self._mind.dispatcher.read(caller_of(request), "page", build)

    def offer(self) -> Offer | None:
        """Which backup brings a damaged memory back; None while it is whole, and where there is none."""
        if not self._mind.store.condition.damage:
            return None
        try:
            return offer(self._mind.store)
        except BigMindError as error:  # of the folder of backups: the page of backups says so
            log.warning("no backup can be offered: %s", error)
            return None

    def _damaged(self, request: AnyRequest, error: DamagedError) -> Html:
        """In place of a page that cannot be read: what to restore."""
        if "HX-Request" in request.headers:
            return problem_page(request, error)
        told = {
            "damage": error.message,
            "now": self._mind.store.clock(),
            "offer": self.offer(),
            "may_restore": caller_of(request).role.includes(Role.ADMIN),
            "form_token": self._form_token(request),
            "theme": theme_of(self._mind.store.host.settings),
            "then": "/health",
        }
        return html(render("damaged_alone.html", told), HTTP_STATUS[error.code])

    def _form_token(self, request: AnyRequest) -> str:
        return signed_form_token(cookie_value(request.headers.getall("cookie", []), self._cookie))

    def answer(self, work: Work, operation: Operation, **given: Any) -> Any:
        """What an operation that reads answers, asked within a page's own unit of work; see `Dispatcher.within`."""
        return self._mind.dispatcher.within(work, operation, given)

    async def read(self, caller: Caller, query: Callable[[Work], T]) -> T:
        """What a route needs to know that answers with no page; read on a worker thread."""
        return await self._mind.dispatcher.read(caller, "page", query)

    def _frame(self, request: AnyRequest, work: Work, current: str) -> Frame:
        is_window = work.caller.presence is Presence.WINDOW
        return Frame(
            navigation=[each for each in self._pages if each.is_shown(work)],
            current=current,
            username=work.caller.username,
            totals=stats(work, work.store.size_in_bytes()),
            written=last_write(work),
            change=newest_change(work),
            form_token=self._form_token(request),
            host=request.headers.get("host", ""),
            role=work.caller.role,
            theme=theme_of(work.host.settings),
            single_keys=work.host.settings.now().single_keys,
            display_name=display_name(work),
            problems=self._problems(work.caller),
            is_window=is_window,
            is_first=self._is_first(cookie_value(request.headers.getall("cookie", []), self._cookie)),
            code=self._code(work.caller) if is_window else "",
            clients=sum(each.seconds_ago < LATELY_SECONDS for each in work.host.activity.called(work.caller.user_id)),
            backup=_newest_backup(work),
            paused=work.host.activity.is_paused,
            disk=disk_trouble(work.store.path.parent),
            another=memory_of_another(work),
            moved=moved(work),
            loss=work.store.safekeeping.loss,
            damage=work.store.safekeeping.condition.in_words,
            # A page that only brings itself up to date is not the next one.
            said=None if "HX-Request" in request.headers else self._sayings.heard(work.caller),
        )


def _around(work: Work) -> Told:
    """What every template may ask: the moment, what is done in person here, and by what a flagged text is known."""
    return {
        "now": work.now,
        "hand": hand_of(work),
        "revision": partial(revision, work),
        "tells_machine": may_name_any(work.caller, work.mode),
        "own_command": command_told(work.caller, work.mode),
    }


def command_told(caller: Caller, mode: Mode) -> str:
    """The `bigmind` command as a page tells it: where it lies only to who may name files of this machine."""
    return typed_command() if may_name_any(caller, mode) else "bigmind"


def _newest_backup(work: Work) -> Backup | None:
    try:
        return newest_in(work.store.safekeeping.folder, work.now)
    except OSError as error:  # the page of backups says so; every other one works without them
        log.info("the folder of the backups cannot be read: %s", error)
        return None


def theme_of(settings: LiveSettings) -> str:
    """`light` or `dark`, as the person chose; empty follows the system."""
    theme = settings.now().theme
    return "" if theme is Theme.SYSTEM else theme.value


def problem_page(request: AnyRequest, error: BigMindError) -> Html:
    """What went wrong, for the part of a page or the form it was asked by, or as a page of its own."""
    template = "_problem.html" if "HX-Request" in request.headers else "problem_alone.html"
    sent = {"of_form": request.method == "POST", "of_text": bool(_HOLDS_TEXT.search(request.url.path))}
    return html(render(template, {"error": error, "theme": "", "then": "", **sent}), HTTP_STATUS[error.code])


def html(text: str, status: int) -> Html:
    """A page or a part of one, with the headers that every page has.

    It is plain text from here on: what is put beside marked text would be escaped.
    """
    return Response(str(text), media_type=MediaType.HTML, status_code=status, headers=PAGE_HEADERS)
