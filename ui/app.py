"""Everything the application needs to serve the pages."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from litestar import Response, Router
from litestar.static_files import create_static_files_router  # pyright: ignore[reportUnknownVariableType]

from bigmind.people.sign_in_codes import SignIn
from bigmind.wiring import Mind
from ui.flash import FlashMessages
from ui.forms.actions import action_routes
from ui.jobs import Jobs
from ui.live import LiveStreams, event_routes
from ui.page_headers import STATIC_HEADERS
from ui.pages.context import context_routes
from ui.pages.facts import fact_routes
from ui.pages.health import health_routes, problems_found
from ui.pages.hypotheses import hypothesis_routes
from ui.pages.ides import ide_routes
from ui.pages.knowledge import knowledge_routes
from ui.pages.learn import learn_routes
from ui.pages.missing import missing_routes
from ui.pages.portable import portable_routes
from ui.pages.profile import profile_routes
from ui.pages.search import search_routes
from ui.pages.sessions import session_routes
from ui.pages.settings import settings_routes
from ui.render import STATIC
from ui.shell import Shell
from ui.show.indexing import indexing_routes
from ui.sign_in import sign_in_routes
from ui.transfers import Transfers


@dataclass(frozen=True)
class UserInterface:
    """The pages of one server.

    Attributes:
        handlers: for `Litestar(route_handlers=...)`.
        close: ends every live stream at once, and removes all files that pass through, from any thread. Call it when
            the shutdown begins, before the server waits for its connections: an open stream is one, and by itself it
            never ends.
    """

    handlers: list[Any]
    close: Callable[[], None]


def ui_routes(mind: Mind, sign_in: SignIn, cookie: str) -> UserInterface:
    """Build the pages over `mind`.

    Args:
        mind: what is shown.
        sign_in: redeems the codes that `bigmind open` prints.
        cookie: the name of the browser's cookie; the guard reads the same one.
    """
    sayings = FlashMessages()
    jobs = Jobs(mind)
    shell = Shell(mind, cookie, sayings, partial(problems_found, jobs), sign_in.screen.shown_to)
    streams, passing = LiveStreams(mind), Transfers(mind.store)
    sign_in.screen.listen(streams.tell_windows)
    pages = [
        *profile_routes(shell),
        *context_routes(shell),
        *session_routes(shell),
        *fact_routes(shell),
        *search_routes(shell),
        *hypothesis_routes(shell),
        *knowledge_routes(shell, cookie),
        *learn_routes(mind, shell, jobs, cookie, passing),
        *portable_routes(mind, shell, jobs, cookie, passing),
        *health_routes(shell, jobs),
        *ide_routes(shell, jobs, cookie, mind.store.home),
        *settings_routes(shell),
        *missing_routes(shell),
        *indexing_routes(shell),
        *action_routes(mind, jobs, cookie, sayings, streams.tell_windows),
        *event_routes(streams),
        *sign_in_routes(mind, sign_in, cookie),
    ]

    def close() -> None:
        streams.close()
        passing.close()

    return UserInterface([Router("/", route_handlers=pages, include_in_schema=False), _static_files()], close)


def _static_files() -> Router:
    def with_headers(response: Response[Any]) -> Response[Any]:
        response.headers.update(STATIC_HEADERS)
        return response

    return create_static_files_router("/static", [STATIC], after_request=with_headers, include_in_schema=False)
