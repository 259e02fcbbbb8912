"""The audit log: who did what for the whole store, and when; for admins, reached from Settings."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from litestar import get
from litestar.handlers import HTTPRouteHandler
from sqlmodel import col, select

from bigmind.people.audit import AuditKind
from bigmind.people.audit_operations import audit_list
from bigmind.people.tables import User
from bigmind.store.work import Work
from ui.page_addresses import address
from ui.shell import AnyRequest, Html, Shell, Told
from ui.site import Site

PATH = "/audit"
PAGE = 50
KINDS = {
    AuditKind.USERS: "Users and passphrases",
    AuditKind.TOKENS: "Tokens and sign-ins",
    AuditKind.SETTINGS: "Settings",
    AuditKind.STORE: "Backups and imports",
    AuditKind.KNOWLEDGE: "Company knowledge",
}


def audit_routes(site: Site) -> list[HTTPRouteHandler]:
    """The one route."""
    shell = site.shell

    @get(PATH)
    async def audit_log(request: AnyRequest) -> Html:
        return await shell.page(request, "audit.html", "settings", partial(_told, shell, request.query_params))

    return [audit_log]


def _told(shell: Shell, asked: Mapping[str, str], work: Work) -> Told:
    """A page of it.

    Raises:
        BigMindError: `forbidden`, for whoever is no admin.
    """
    chosen = {name: asked.get(name, "") for name in ("kind", "user", "since")}
    chosen["kind"] = chosen["kind"] if chosen["kind"] in KINDS else ""
    given = {name: value for name, value in chosen.items() if value}
    cursor = asked.get("cursor") or None
    found: Any = shell.answer(work, audit_list, **given, limit=PAGE, cursor=cursor)
    return {
        "acts": found.acts,
        "kinds": KINDS,
        "users": work.session.exec(select(User.username).order_by(col(User.id))).all(),
        "asked": chosen,
        "is_filtered": bool(given),
        "older": address(PATH, {**chosen, "cursor": found.cursor}) if found.cursor else "",
        "newest": address(PATH, chosen) if cursor else "",
    }
