"""Signing a browser in with a one-time code, and out again."""

from dataclasses import asdict, dataclass
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit

import anyio.to_thread
from litestar import Response, Router, get, post
from litestar.datastructures import Cookie
from litestar.enums import MediaType
from litestar.handlers import HTTPRouteHandler
from litestar.status_codes import (
    HTTP_200_OK,
    HTTP_303_SEE_OTHER,
    HTTP_401_UNAUTHORIZED,
    HTTP_403_FORBIDDEN,
    HTTP_429_TOO_MANY_REQUESTS,
)

from bigmind.core.errors import HTTP_STATUS, BigMindError
from bigmind.http.guard import cookie_value
from bigmind.people.screen_code import LIVES_SECONDS, digits_in
from bigmind.people.service import UI_SESSION, MintedToken, end_token
from bigmind.people.sign_in_codes import SignIn
from bigmind.people.sign_in_file import FROM_FILE, remove_sign_in_file
from bigmind.people.tables import Token
from bigmind.wiring import Mind
from ui.error_messages import in_words
from ui.forms.csrf import is_same, new_form_token, signed_form_token
from ui.page_addresses import page_of_ours
from ui.page_headers import PAGE_HEADERS, standalone_headers
from ui.render import render, standalone_style
from ui.shell import AnyRequest, theme_of

SIGN_IN = "/sign-in"
LONGEST_CODE = 2_000
ASKED_SECONDS = 600
"""How long the page that was asked for is remembered: as long as a code works."""
SPENT = "This code is invalid or has expired. A code works once, within ten minutes of being printed."
WRONG = "This isn't the code that BigMind shows. Try again."
OVER = "This code is invalid or has expired. Have BigMind show a new one."
STALE = "That form had grown old. Nothing was done; try again."


@dataclass(frozen=True, slots=True)
class Question:
    """Whether the code is to be used: the browser is signed in as `now` and would then be `then`."""

    code: str
    now: str
    then: str


@dataclass(frozen=True, slots=True)
class _Form:
    """What the page asks, and how it looks.

    Attributes:
        message: what went wrong, in a sentence; may be empty.
        theme: `light` or `dark`; empty follows the system.
        shows_codes: whether BigMind could show a code on this machine's screen.
        awaits_code: whether it shows one, to be typed into this browser.
        question: whether to use the code that there is.
    """

    message: str = ""
    theme: str = ""
    shows_codes: bool = False
    awaits_code: bool = False
    question: Question | None = None


def sign_in_page(
    message: str = "", *, cookie: str, theme: str = "", shows_codes: bool = False, asked: str = ""
) -> tuple[bytes, list[tuple[bytes, bytes]]]:
    """The page that asks for a code, for whoever answers a browser that is not signed in.

    It loads nothing: its style is part of it. Content type, length and Cache-Control are the caller's to add.

    Args:
        message: what went wrong, in a sentence; may be empty.
        cookie: the name of the browser's cookie; the form's own is named after it.
        theme: `light` or `dark`; empty follows the system.
        shows_codes: whether BigMind could show a code on this machine's screen.
        asked: the page that was asked for; who signs in comes to it.

    Returns:
        The body, and the headers that belong to it.
    """
    body, headers, form_cookie = _sign_in_parts(_Form(message, theme, shows_codes), cookie)
    own = {name: value for name, value in headers.items() if name != "Cache-Control"}
    cookies = [form_cookie, *([_asked_cookie(cookie, asked)] if page_of_ours(asked) else [])]
    sent = [*own.items(), *(("Set-Cookie", each.to_header(header="")) for each in cookies)]
    return body.encode(), [(name.lower().encode(), value.encode()) for name, value in sent]


def sign_in_routes(mind: Mind, sign_in: SignIn, cookie: str) -> Router:
    """The only page that is open to everybody, and the way out."""
    entrance = _Entrance(mind, sign_in, cookie)

    def refused(_: AnyRequest, error: BigMindError) -> Response[str]:
        """The page again, where nobody can be signed in or out now: the disk is full, say."""
        return entrance.ask(in_words(error).message, HTTP_STATUS[error.code])

    handlers = [*_ways_in(entrance), _way_out(entrance)]
    return Router("/", route_handlers=handlers, exception_handlers={BigMindError: refused})


@dataclass(frozen=True, slots=True)
class _Entrance:
    """What the ways in and out have in common; `cookie` is the name of the browser's cookie."""

    mind: Mind
    sign_in: SignIn
    cookie: str

    def ask(
        self, message: str, status: int, question: Question | None = None, *, awaits_code: bool = False
    ) -> Response[str]:
        """The page that asks for a code, or whether to use the one that there is."""
        theme = theme_of(self.mind.store.host.settings)
        form = _Form(message, theme, self.sign_in.screen.is_offered(), awaits_code, question)
        body, headers, form_cookie = _sign_in_parts(form, self.cookie)
        return Response(body, status_code=status, media_type=MediaType.HTML, headers=headers, cookies=[form_cookie])

    async def redeemed(self, request: AnyRequest, code: str) -> Response[str]:
        """The page that was asked for, or the profile, for a browser that is signed in from now on."""
        minted = await anyio.to_thread.run_sync(self.sign_in.redeem, code)
        return self.ask(SPENT, HTTP_401_UNAUTHORIZED) if minted is None else self._signed_in(request, minted)

    def _signed_in(self, request: AnyRequest, minted: MintedToken) -> Response[str]:
        answer = see_asked(request, self.cookie)
        answer.set_cookie(_browser_cookie(self.cookie, minted.secret))
        for name in (_form_name(self.cookie), _waiting_name(self.cookie)):
            answer.delete_cookie(name, path=SIGN_IN)
        return answer

    def code_shown(self, request: AnyRequest) -> Response[str]:
        """The page again, for a browser that waits for a code from now on; only it can use that code."""
        known = _sent(request, _waiting_name(self.cookie))
        awaits = self.sign_in.screen.awaits(known)
        browser = known if awaits else new_form_token()  # another site of this machine may have written that cookie
        try:
            self.sign_in.screen.ask(browser)
        except BigMindError as error:
            return self.ask(error.message, HTTP_429_TOO_MANY_REQUESTS, awaits_code=awaits)
        answer = _see(SIGN_IN)
        name, seconds = _waiting_name(self.cookie), int(LIVES_SECONDS)
        answer.set_cookie(Cookie(name, value=browser, path=SIGN_IN, max_age=seconds, httponly=True, samesite="strict"))
        return answer

    async def typed(self, request: AnyRequest, digits: str) -> Response[str]:
        """The page that was asked for, when these are the digits that BigMind shows for this browser."""
        browser = _sent(request, _waiting_name(self.cookie))
        minted = await anyio.to_thread.run_sync(self.sign_in.redeem_digits, browser, digits)
        if minted is not None:
            return self._signed_in(request, minted)
        awaits = self.sign_in.screen.awaits(browser)
        return self.ask(WRONG if awaits else OVER, HTTP_401_UNAUTHORIZED, awaits_code=awaits)

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
            awaits = entrance.sign_in.screen.awaits(_sent(request, _waiting_name(entrance.cookie)))
            return entrance.ask("", HTTP_200_OK, awaits_code=awaits)
        question = entrance.question(request, code)
        return await entrance.redeemed(request, code) if question is None else entrance.ask("", HTTP_200_OK, question)

    @post(SIGN_IN)
    async def sign_in_with_code(request: AnyRequest) -> Response[str]:
        form = await request.form()
        if not is_same(_sent(request, _form_name(entrance.cookie)), str(form.get("form_token", ""))):
            return entrance.ask(STALE, HTTP_403_FORBIDDEN)
        if form.get("show"):
            return entrance.code_shown(request)
        code = str(form.get("code", ""))[:LONGEST_CODE]
        if digits := digits_in(code):
            return await entrance.typed(request, digits)
        return await entrance.redeemed(request, _code_in(code))

    @post(FROM_FILE)
    async def sign_in_from_file(request: AnyRequest) -> Response[str]:
        """Has this very site ask for the link: a browser keeps a strict cookie from what began elsewhere."""
        code = str((await request.form()).get("code", ""))[:LONGEST_CODE]
        if entrance.sign_in.holder(code) is None:
            return entrance.ask(SPENT, HTTP_401_UNAUTHORIZED)
        await anyio.to_thread.run_sync(remove_sign_in_file, entrance.mind.store.home, code)
        body = render("signing_in.html", {"link": f"{SIGN_IN}?{urlencode({'code': code})}"})
        return Response(body, status_code=HTTP_200_OK, media_type=MediaType.HTML, headers=standalone_headers(""))

    return [sign_in_form, sign_in_with_code, sign_in_from_file]


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


def see_asked(request: AnyRequest, cookie: str) -> Response[str]:
    """To the page that was asked for before the sign-in, which is forgotten; else to the profile."""
    # Another site of this machine may have written that cookie: only a page of ours is gone to.
    answer = _see(page_of_ours(unquote(_sent(request, _asked_name(cookie)))) or "/")
    answer.delete_cookie(_asked_name(cookie), path=SIGN_IN)
    return answer


def _sent(request: AnyRequest, cookie: str) -> str:
    return cookie_value(request.headers.getall("cookie", []), cookie)


def _sign_in_parts(form: _Form, cookie: str) -> tuple[str, dict[str, str], Cookie]:
    token, style = new_form_token(), standalone_style()
    told = {**asdict(form), "question": form.question, "form_token": token, "style": style}
    body = render("sign_in.html", told)
    form_cookie = Cookie(_form_name(cookie), value=token, path=SIGN_IN, httponly=True, samesite="strict")
    return body, standalone_headers(style), form_cookie


def _form_name(cookie: str) -> str:
    return f"{cookie}_form"


def _waiting_name(cookie: str) -> str:
    return f"{cookie}_waiting"


def _asked_name(cookie: str) -> str:
    return f"{cookie}_asked"


def _asked_cookie(cookie: str, asked: str) -> Cookie:
    """Remembers what was asked for as long as a code works; only signing in is sent it."""
    name, value = _asked_name(cookie), quote(asked, safe="")
    return Cookie(name, value=value, path=SIGN_IN, max_age=ASKED_SECONDS, httponly=True, samesite="strict")


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
    with mind.store.write(principal.caller, "sign_out", beside=True) as work:
        end_token(work, work.session.get_one(Token, principal.caller.token_id))
