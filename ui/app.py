"""Everything the application needs to serve the pages."""

import errno
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from litestar import Response, Router
from litestar.exceptions import InternalServerException, NotFoundException
from litestar.static_files import create_static_files_router  # pyright: ignore[reportUnknownVariableType]

from bigmind.http.api import AnyRequest, http_error, unexpected
from bigmind.people.sign_in_codes import SignIn
from bigmind.wiring import Mind
from ui.event_stream import LiveStreams, event_routes
from ui.first_passphrase import first_passphrase_routes
from ui.flash import FlashMessages
from ui.forms.actions import action_routes
from ui.jobs import Jobs
from ui.page import Page, offers_of
from ui.page_headers import STATIC_HEADERS
from ui.pages import PAGES
from ui.pages.health import problems_found
from ui.pages.missing import missing_routes
from ui.pages.things import with_things
from ui.render import STATIC
from ui.shell import Shell
from ui.show.indexing import indexing_routes
from ui.sign_in import sign_in_routes
from ui.site import Site
from ui.transfers import Transfers

NO_FILES_NAME = frozenset({errno.ENAMETOOLONG, errno.EINVAL, errno.ENOENT, errno.ENOTDIR})
"""How a disk refuses the name of a file; whatever else it says, such as that it failed, is a fault for the log."""


@dataclass(frozen=True)
class UserInterface:
    """The pages of one server.

    Attributes:
        handlers: for `Litestar(route_handlers=...)`.
        close: ends every live stream at once, from any thread.
    """

    handlers: list[Any]
    close: Callable[[], None]


def ui_routes(
    mind: Mind, sign_in: SignIn, cookie: str, transfers: Transfers, pages: Sequence[Page] | None = None
) -> UserInterface:
    """Build the pages over `mind`.

    Args:
        mind: what is shown.
        sign_in: redeems the codes that `bigmind open` prints.
        cookie: the name of the browser's cookie; the guard reads the same one.
        transfers: files that pass through.
        pages: those that were written, in the order of the navigation; None for all. A kind with an address adds one.
    """
    pages = with_things(PAGES if pages is None else pages, mind.store.kinds)
    sayings = FlashMessages()
    jobs = Jobs(mind)
    shell = Shell(
        mind, cookie, sayings, pages, partial(problems_found, jobs), sign_in.screen.shown_to, sign_in.may_set_first
    )
    streams = LiveStreams(mind)
    sign_in.screen.listen(streams.tell_windows)
    site = Site(mind, shell, jobs, cookie, transfers)
    handlers = [
        *(handler for page in pages for handler in page.routes(site)),
        *missing_routes(shell),
        *indexing_routes(shell),
        *action_routes(mind, jobs, cookie, sayings, offers_of(pages), streams.tell_windows),
        *event_routes(streams),
        *first_passphrase_routes(mind, sign_in, cookie),
        sign_in_routes(mind, sign_in, cookie),
    ]

    return UserInterface([*handlers, static_files(STATIC)], streams.close)


def static_files(folder: Path) -> Router:
    """The files that pages load, from that folder."""

    def with_headers(response: Response[Any]) -> Response[Any]:
        response.headers.update(STATIC_HEADERS)
        return response

    def unread(request: AnyRequest, error: Exception) -> Response[bytes]:
        """A name that no file can have, as one with a NUL or of thousands of letters, is no fault of ours."""
        if isinstance(error, ValueError) or getattr(error.__cause__, "errno", None) in NO_FILES_NAME:
            return http_error(request, NotFoundException())
        return unexpected(request, error)

    return create_static_files_router(
        "/static",
        [folder],
        after_request=with_headers,
        include_in_schema=False,
        exception_handlers={ValueError: unread, InternalServerException: unread},
    )
