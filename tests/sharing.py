"""What a test process need not do again for each store, server and client: migrate, compile, read certificates.

A good part of the time of tests of the memory went into statements that other stores had compiled before: SQLAlchemy
keeps them for each engine, of which a test has two of its own. Half the time of putting a server together went into
the signatures of the same three hundred functions. A client of HTTP reads all certificates of the system, which no
server of a test has.
"""

import ssl
from collections.abc import Sequence
from functools import cache, lru_cache
from types import FunctionType, SimpleNamespace
from typing import Any

import httpcore2
from litestar import Router, router
from litestar._asgi import asgi_router
from litestar._signature.model import SignatureModel
from litestar.handlers import HTTPRouteHandler
from litestar.routes import BaseRoute, HTTPRoute
from litestar.utils.signature import ParsedSignature
from sqlalchemy import Engine, inspect
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

from bigmind.backup import system_log
from bigmind.caution import detect
from bigmind.secrets import masking
from bigmind.secrets.findings import Finder, Finding
from bigmind.store import migration, store
from bigmind.store.backend import Engines
from bigmind.store.sqlite import engine
from bigmind.store.sqlite.driver import sound_driver

LONG, LONG_TEXTS = 1_000, 256
"""Characters of a text of which it is kept what was found in it, and of how many texts."""

statements: dict[Any, Any] = {}
"""What was compiled in this process; a test of what is compiled when empties it first."""


def share_statements() -> None:
    """Let all stores of this process, and of those that it forks, use what one of them has compiled."""
    make = engine.create_engine

    def made(*given: Any, **named: Any) -> Any:
        new = make(*given, **named)
        new.update_execution_options(compiled_cache=statements)
        return new

    engine.create_engine = made
    # What is compiled is found by its dialect, and each engine has one of its own.
    SQLiteDialect_pysqlite.__eq__ = lambda self, other: type(self) is type(other)
    SQLiteDialect_pysqlite.__hash__ = lambda self: hash(type(self))


def share_schema() -> None:
    """Give each new store of this process, and of those that it forks, the tables that its first one was given.

    The first is made by all migrations; so are those of tests of migrations, and of servers that a command starts.
    """
    migrate, made = store.migrate, dict[str, Any]()

    def migrated(engines: Engines, engine: Engine) -> None:
        newest, is_empty = migration.head(), migration.current(engine) is None
        if not is_empty or newest not in made or not _is_blank(engine):
            migrate(engines, engine)
        if is_empty:
            with engine.connect() as connection:
                opened = connection.connection.driver_connection
                if newest in made:
                    made[newest].backup(opened)
                else:
                    first = sound_driver().connect(":memory:", check_same_thread=False)
                    opened.backup(first)
                    made[newest] = first

    store.migrate = migrated


def _is_blank(engine: Engine) -> bool:
    """Whether it has no table at all, not even another program's."""
    return not inspect(engine).get_table_names()


def share_signatures() -> None:
    """Let all applications of this process, and of those that it forks, use what one has read of the same functions."""
    read, model = ParsedSignature.from_fn, SignatureModel.create
    found: dict[Any, ParsedSignature] = {}
    made: dict[Any, tuple[ParsedSignature, type[SignatureModel]]] = {}

    def from_fn(fn: Any, names: dict[str, Any]) -> ParsedSignature:
        if not isinstance(fn, FunctionType):
            return read(fn, names)
        key = fn.__code__, fn.__defaults__, *fn.__annotations__.items(), *names.items()
        if key not in found:
            found[key] = read(fn, names)
        return found[key]

    def create(
        dependency_name_set: set[str], fn: Any, parsed_signature: ParsedSignature, **named: Any
    ) -> type[SignatureModel]:
        key = id(parsed_signature), fn.__name__, *dependency_name_set, *map(str, named.values())
        if key not in made:
            made[key] = parsed_signature, model(dependency_name_set, fn, parsed_signature, **named)
        return made[key][1]

    ParsedSignature.from_fn = from_fn
    SignatureModel.create = create


def share_routes() -> None:
    """Put applications together without what only those need that share a router: a third of the time.

    Each of ours makes its own routers, so that none has to be copied; and which handlers there are already need not be
    counted anew for each that comes.
    """
    router.deepcopy = lambda value: value
    count = Router.route_handler_method_map.fget
    latest: tuple[Router | None, list[BaseRoute], dict[str, Any]] = None, [], {}

    def counted(self: Router) -> dict[str, Any]:
        nonlocal latest
        of, routes, handlers = latest
        new = self.routes[len(routes) :]
        if of is self and self.routes[: len(routes)] == routes and not any(route.path in handlers for route in new):
            handlers.update(count(SimpleNamespace(routes=new)))
        else:
            handlers = count(self)
        latest = self, [*self.routes], handlers
        return handlers

    Router.route_handler_method_map = property(counted)
    _prepare_handlers_when_called()


def _prepare_handlers_when_called() -> None:
    """Look at a handler's signature at its route's first request: a test asks for a few of four hundred and eighty.

    A server that a command starts looks at all of them before it listens, as ever.
    """
    look, make_map, handle = HTTPRouteHandler.on_registration, HTTPRoute.create_handler_map, HTTPRoute.handle

    def later(self: HTTPRoute) -> None:
        self.route_handler_map = {
            method: (handler, None) for handler in self.route_handlers for method in handler.http_methods
        }

    async def handled(self: HTTPRoute, scope: Any, receive: Any, send: Any) -> None:
        if any(model is None for _, model in self.route_handler_map.values()):
            for handler in self.route_handlers:
                look(handler, scope["litestar_app"])
            self.route_handler_map = {}
            make_map(self)
        await handle(self, scope, receive, send)

    HTTPRouteHandler.on_registration = lambda *_: None
    HTTPRoute.create_handler_map, HTTPRoute.handle = later, handled
    asgi_router.validate_node = lambda *_, **__: None


def share_certificates() -> None:
    """Let all clients of this process use what one of them has read."""
    ssl.create_default_context = cache(ssl.create_default_context)
    httpcore2.default_ssl_context = cache(httpcore2.default_ssl_context)


def share_findings() -> None:
    """Look once for secrets and for instructions in a long text: tests store the same ones again and again."""
    secrets, instructions = lru_cache(LONG_TEXTS)(masking.secrets_of), lru_cache(LONG_TEXTS)(detect._found)
    look, read = masking.secrets_of, detect._found

    def secrets_of(used: Sequence[Finder], text: str) -> list[Finding]:
        return [*secrets(tuple(used), text)] if len(text) > LONG else look(used, text)

    def found(text: str) -> set[str]:
        return {*instructions(text)} if len(text) > LONG else read(text)

    masking.secrets_of, detect._found = secrets_of, found


def leave_system_log() -> None:
    """Have no store of this process write into the log of this machine, nor read what another copy of it wrote."""
    system_log.SOCKETS.clear()
    system_log.READERS = ()
