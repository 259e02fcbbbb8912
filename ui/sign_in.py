"""Signing a browser in with a one-time code, and out again."""

from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

import anyio.to_thread
from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.enums import MediaType
from litestar.handlers import HTTPRouteHandler
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER, HTTP_401_UNAUTHORIZED, HTTP_403_FORBIDDEN

from bigmind.http.guard import cookie_value
from bigmind.people.service import UI_SESSION, end_token
from bigmind.people.sign_in import SignIn
from bigmind.people.tables import Token
from bigmind.wiring import Mind
from ui.csrf import is_same, new_form_token, signed_form_token
from ui.headers import PAGE_HEADERS, standalone_headers
from ui.render import render, standalone_style
from ui.shell import AnyRequest, theme_of

SIGN_IN = "/sign-in"
LONGEST_CODE = 2_000
SPENT = "That code is not valid, or no longer. A code works once, within ten minutes of being printed."
STALE = "That form had grown old. Nothing was done; try again."


@dataclass(frozen=True, slots=True)
class Question:
    """Whether the code is to be used: the browser is signed in as `now` and would then be `then`."""

    code: str
    now: str
    then: str


def sign_in_page(message: str = "", *, cookie: str, theme: str = "") -> tuple[bytes, list[tuple[bytes, bytes]]]:
    """The page that asks for a code, for whoever answers a browser that is not signed in.

    It loads nothing: its style is part of it. Content type, length and Cache-Control are the caller's to add.

    Args:
        message: what went wrong, in a sentence; may be empty.
        cookie: the name of the browser's cookie; the form's own is named after it.
        theme: `light` or `dark`; empty follows the system.

    Returns:
        The body, and the headers that belong to it.
    """
    body, headers, form_cookie = _sign_in_parts(message, cookie, theme)
    own = {name: value for name, value in headers.items() if name != "Cache-Control"}
    own["Set-Cookie"] = form_cookie.to_header(header="")
    return body.encode(), [(name.lower().encode(), value.encode()) for name, value in own.items()]


def sign_in_routes(mind: Mind, sign_in: SignIn, cookie: str) -> list[HTTPRouteHandler]:
    """The only page that is open to everybody, and the way out."""
    entrance = _Entrance(mind, sign_in, cookie)
    return [*_ways_in(entrance), _way_out(entrance)]


@dataclass(frozen=True, slots=True)
class _Entrance:
    """What the ways in and out have in common; `cookie` is the name of the browser's cookie."""

    mind: Mind
    sign_in: SignIn
    cookie: str

    def ask(self, message: str, status: int, question: Question | None = None) -> Response[str]:
        """The page that asks for a code, or whether to use the one that there is."""
        theme = theme_of(self.mind.store.surroundings.settings())
        body, headers, form_cookie = _sign_in_parts(message, self.cookie, theme, question)
        return Response(body, status_code=status, media_type=MediaType.HTML, headers=headers, cookies=[form_cookie])

    async def redeemed(self, code: str) -> Response[str]:
        """The profile, for a browser that is signed in from now on."""
        minted = await anyio.to_thread.run_sync(self.sign_in.redeem, code)
        if minted is None:
            return self.ask(SPENT, HTTP_401_UNAUTHORIZED)
        answer = _see("/")
        answer.set_cookie(_browser_cookie(self.cookie, minted.secret))
        answer.delete_cookie(_form_name(self.cookie), path=SIGN_IN)
        return answer

    def question(self, request: AnyRequest, code: str) -> Question | None:
        """What to ask before the code makes somebody else of who is signed in.

        A link that somebody left in what this browser shows would else have its reader write into another's memory.
        """
        now, then = self.mind.authenticator.principal(_sent(request, self.cookie)), self.sign_in.holder(code)
        if now is None or then is None or now.caller.user_id == then.user_id:
            return None
        return Question(code, now.caller.username, then.username)


def _ways_in(entrance: _Entrance) -> list[HTTPRouteHandler]:
    @get(SIGN_IN)
    async def sign_in_form(request: AnyRequest) -> Response[str]:
        code = request.query_params.get("code", "")[:LONGEST_CODE]
        if not code:
            return entrance.ask("", HTTP_200_OK)
        question = entrance.question(request, code)
        return await entrance.redeemed(code) if question is None else entrance.ask("", HTTP_200_OK, question)

    @post(SIGN_IN)
    async def sign_in_with_code(request: AnyRequest) -> Response[str]:
        form = await request.form()
        if not is_same(_sent(request, _form_name(entrance.cookie)), str(form.get("form_token", ""))):
            return entrance.ask(STALE, HTTP_403_FORBIDDEN)
        return await entrance.redeemed(_code_in(str(form.get("code", ""))[:LONGEST_CODE]))

    return [sign_in_form, sign_in_with_code]


def _way_out(entrance: _Entrance) -> HTTPRouteHandler:
    @post("/sign-out")
    async def sign_out(request: AnyRequest) -> Response[str]:
        secret = _sent(request, entrance.cookie)
        form = await request.form()
        if not secret or not is_same(signed_form_token(secret), str(form.get("form_token", ""))):
            return entrance.ask(STALE, HTTP_403_FORBIDDEN)
        await anyio.to_thread.run_sync(_revoke, entrance.mind, secret)
        answer = _see(SIGN_IN)
        answer.set_cookie(_browser_cookie(entrance.cookie, "", seconds=0))
        return answer

    return sign_out


def _sent(request: AnyRequest, cookie: str) -> str:
    return cookie_value(request.headers.getall("cookie", []), cookie)


def _sign_in_parts(
    message: str, cookie: str, theme: str, question: Question | None = None
) -> tuple[str, dict[str, str], Cookie]:
    token, style = new_form_token(), standalone_style()
    told = {"message": message, "form_token": token, "style": style, "theme": theme, "question": question}
    body = render("sign_in.html", told)
    form_cookie = Cookie(_form_name(cookie), value=token, path=SIGN_IN, httponly=True, samesite="strict")
    return body, standalone_headers(style), form_cookie


def _form_name(cookie: str) -> str:
    return f"{cookie}_form"


def _browser_cookie(name: str, secret: str, seconds: int = int(UI_SESSION.total_seconds())) -> Cookie:
    return Cookie(name, value=secret, path="/", max_age=seconds, httponly=True, samesite="strict")


def _code_in(text: str) -> str:
    """The code in what a person pasted: it may be the whole link."""
    pasted = text.strip()
    return parse_qs(urlsplit(pasted).query).get("code", [pasted])[0] if "code=" in pasted else pasted


def _see(path: str) -> Response[str]:
    headers = {**PAGE_HEADERS, "Location": path}
    return Response("", status_code=HTTP_303_SEE_OTHER, media_type=MediaType.HTML, headers=headers)


def _revoke(mind: Mind, secret: str) -> None:
    """End the token that the browser holds, and no other."""
    principal = mind.authenticator.principal(secret)
    if principal is None:
        return
    with mind.store.write(principal.caller, "sign_out") as work:
        end_token(work, work.session.get_one(Token, principal.caller.token_id))
