"""Settings: what a person may set, who may use the memory, and what assistants are offered."""

from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

from litestar import get
from litestar.handlers import HTTPRouteHandler

from bigmind.core.operation import TokenScope, may_name_any
from bigmind.operations.token_scope import scope_in
from bigmind.people.service import OWN_KINDS, active_tokens, display_name
from bigmind.people.tables import Token
from bigmind.people.token_format import TokenKind
from bigmind.search.model_choice import models
from bigmind.search.model_state import progress
from bigmind.server.settings_operations import ToolRow, tools_list
from bigmind.store.migration import head
from bigmind.store.work import Work
from bigmind.usage.counts import clients_lately
from ui.forms.token_scopes import token_scopes
from ui.page import Page
from ui.pages.people.audit import audit_routes
from ui.pages.remote_assistants import remote_routes
from ui.shell import AnyRequest, Html, Shell, Told
from ui.site import Site

LONGEST_FIND = 100
KINDS = {
    TokenKind.CLI: "command line",
    TokenKind.UI: "browser",
    TokenKind.BRIDGE: "assistants without their own token",
    TokenKind.CLIENT: "assistant or program",
}
SECTIONS = (
    ("user", "You"),
    ("appearance", "Appearance"),
    ("store", "Mode and database"),
    ("port", "Port"),
    ("model", "Search by meaning"),
    ("backups", "Backups"),
    ("clients", "Connected clients"),
    ("tokens", "Tokens"),
    ("tools", "Tools"),
    ("app", "Starting and pausing"),
    ("file", "Settings file"),
)

OF_MACHINE = frozenset({"backups", "file"})
"""Sections that are about places of the server's disk: for whoever may name one."""


@dataclass(frozen=True, slots=True)
class TokenView:
    """A token as the page lists it: its scope, whether BigMind needs it itself, and whether it is this browser's."""

    row: Token
    kind: str
    scope: TokenScope | None
    is_own: bool
    is_this: bool


@dataclass(frozen=True, slots=True)
class ToolGroup:
    """Tools that belong together."""

    name: str
    tools: list[ToolRow]

    @property
    def served(self) -> int:
        """How many of them are offered."""
        return sum(each.served for each in self.tools)

    @property
    def tokens(self) -> int:
        """What those take together."""
        return sum(each.tokens for each in self.tools if each.served)


def settings_routes(site: Site) -> list[HTTPRouteHandler]:
    """The routes of the settings."""
    shell = site.shell

    @get("/settings")
    async def settings(request: AnyRequest) -> Html:
        return await shell.page(request, "settings.html", "settings", partial(_tell, shell))

    @get("/settings/models")
    async def offered_models(request: AnyRequest) -> Html:
        find = request.query_params.get("find", "").strip().lower()[:LONGEST_FIND]
        return await shell.fragment(request, "_models.html", lambda work: {"found": models(work), "find": find})

    return [settings, offered_models, *remote_routes(site), *audit_routes(site)]


SETTINGS = Page(
    "settings",
    "Settings",
    "/settings",
    "t",
    settings_routes,
    group="This app",
    offers=frozenset(
        {
            "memory_use_model",
            "passphrase_remove",
            "passphrase_see_changes",
            "passphrase_see_tries",
            "passphrase_set",
            "server_pause",
            "server_start_at_login",
            "settings_change",
            "token_create",
            "token_revoke",
            "tools_serve",
            "user_rename",
        }
    ),
)


def _tell(shell: Shell, work: Work) -> Told:
    settings, host, tells_machine = work.host.settings, work.host, may_name_any(work.caller, work.mode)
    served: Any = shell.answer(work, tools_list)
    return {
        "sections": [each for each in SECTIONS if tells_machine or each[0] not in OF_MACHINE],
        "tells_machine": tells_machine,
        "set": {each.row.name: each for each in settings.stated()},
        "settings": settings,
        "display_name": display_name(work),
        "store": {"path": work.store.path, "schema": head(), "sqlite": work.backend.engines.version()},
        "mode": work.mode,
        "model": _model(work),
        "backups": {"folder": work.store.safekeeping.folder, "told": host.backups_in_words()},
        "clients": clients_lately(work),
        "tokens": [_shown(work, each) for each in active_tokens(work, work.caller.user_id)],
        "scopes": token_scopes(work),
        "tools": served,
        "toolsets": [ToolGroup(name, list(rows)) for name, rows in groupby(served.tools, lambda each: each.toolset)],
        "paused": host.activity.is_paused,
        "start_at_login": host.desktop.starts_at_login(),
    }


def _model(work: Work) -> dict[str, Any]:
    """How search by meaning is, without asking the process that embeds: that would start it."""
    meaning, told = work.host.meaning, progress(work)
    download = meaning.downloads.last if meaning.downloads is not None else None
    return {
        "can": meaning.embedder is not None,
        "why_not": meaning.why_not,
        "active": told.model,
        "next": told.next,
        "waiting": told.waiting,
        "failed": told.failed,
        "download": download,
        "is_moving": bool(told.next) or (download is not None and not download.is_over),
    }


def _shown(work: Work, token: Token) -> TokenView:
    kind = TokenKind(token.kind)
    return TokenView(
        row=token,
        kind=KINDS[kind],
        scope=scope_in(token.scope),
        is_own=kind in OWN_KINDS and token.client == kind,
        is_this=token.id == work.caller.token_id,
    )
