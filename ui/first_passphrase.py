"""The passphrase after the very first sign-in of a server that has no window: offered once, and never again."""

import anyio.to_thread
from litestar import Response, get, post
from litestar.enums import MediaType
from litestar.handlers import HTTPRouteHandler

from bigmind.core.errors import HTTP_STATUS, BigMindError
from bigmind.core.operation import Caller
from bigmind.http.api import caller_of
from bigmind.http.guard import cookie_value
from bigmind.people.sign_in_codes import SignIn
from bigmind.people.sign_in_file import FIRST_PASSPHRASE
from bigmind.server.passphrase_change import no_first_sign_in, set_first_passphrase
from bigmind.wiring import Mind
from ui.forms.csrf import is_same, signed_form_token
from ui.page_headers import standalone_headers
from ui.render import render, standalone_style
from ui.shell import AnyRequest, command_told, problem_page, theme_of
from ui.sign_in import STALE, see_asked


def first_passphrase_routes(mind: Mind, sign_in: SignIn, cookie: str) -> list[HTTPRouteHandler]:
    """The page, and its form. Only the browser that redeemed the first link of all is let, which the process knows."""

    def secret_of(request: AnyRequest) -> str:
        return cookie_value(request.headers.getall("cookie", []), cookie)

    def ask(request: AnyRequest, message: str, status: int) -> Response[str]:
        style, theme = standalone_style(), theme_of(mind.store.host.settings)
        told = {"message": message, "theme": theme, "style": style, "form_token": signed_form_token(secret_of(request))}
        told["own_command"] = command_told(caller_of(request), mind.store.mode)
        body = render("first_passphrase.html", told)
        return Response(body, status_code=status, media_type=MediaType.HTML, headers=standalone_headers(style))

    @get(FIRST_PASSPHRASE)
    async def first_passphrase(request: AnyRequest) -> Response[str]:
        return ask(request, "", 200) if sign_in.may_set_first(secret_of(request)) else see_asked(request, cookie)

    @post(FIRST_PASSPHRASE)
    async def set_passphrase(request: AnyRequest) -> Response[str]:
        secret, form = secret_of(request), await request.form()
        if not sign_in.may_set_first(secret):
            return problem_page(request, no_first_sign_in())
        if not is_same(signed_form_token(secret), str(form.get("form_token", ""))):
            return ask(request, STALE, 403)
        if not form.get("skip"):
            typed = str(form.get("passphrase", "")), str(form.get("again", ""))
            try:
                await anyio.to_thread.run_sync(_set, mind, caller_of(request), *typed)
            except BigMindError as error:
                return ask(request, _told(error), HTTP_STATUS[error.code])
        sign_in.end_first(secret)
        return see_asked(request, cookie)

    return [first_passphrase, set_passphrase]


def _told(error: BigMindError) -> str:
    """What was wrong, without what was typed."""
    needed = "; ".join(each.expected for each in error.problems)
    return f"This cannot be a passphrase; it needs {needed}." if needed else f"{error.message} {error.hint}"


def _set(mind: Mind, caller: Caller, text: str, again: str) -> None:
    with mind.store.write(caller, "passphrase_set", beside=True) as work:
        set_first_passphrase(work, text, again)
