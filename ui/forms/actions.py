"""What a person does on a page: an operation that the pages offer (ui/page.py), sent by a form.

The form's fields are the operation's input. Beside them it may carry `then` (the page to go to), `said` (what to tell
when it is done), `undo` with `undo.<field>` (the operation that takes it back, and its input), `each.<field>` for every
thing that it is done to (ui/forms/several.py), and the passphrase of who does it in person (ui/forms/in_person.py).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.status_codes import HTTP_303_SEE_OTHER

from bigmind.core.errors import HTTP_STATUS, BigMindError, Code, not_found
from bigmind.core.operation import Caller, Operation
from bigmind.core.plain_text import shortened
from bigmind.http.api import AnyRequest, caller_of
from bigmind.http.guard import cookie_value
from bigmind.operations.catalogue import Answer
from bigmind.wiring import Mind
from ui.flash import FlashMessage, FlashMessages
from ui.forms.csrf import is_same, signed_form_token
from ui.forms.in_person import proved
from ui.forms.input import arguments_of
from ui.forms.several import Outcome, do_for_each, several
from ui.jobs import Job, JobRunningError, Jobs
from ui.page_addresses import page_of_ours
from ui.page_headers import PAGE_HEADERS
from ui.render import job_html, render
from ui.shell import Html, html, problem_page, theme_of
from ui.show import work_words
from ui.show.stored_fields import as_stored

TOKEN_HEADER = "bigmind-form-token"  # noqa: S105 - a header's name
LONGEST_SAID = 200
TOLD_WHY = frozenset({"work_move"})
"""Operations whose refusals have a template of their own, refused/<operation>.html: with links to what mends them."""
ACTED = {"HX-Trigger": json.dumps({"acted": {}})}
"""Tells the page that something was done, so that it closes what was asked in and brings itself up to date."""

Fields = Sequence[tuple[str, str]]


def action_routes(
    mind: Mind, jobs: Jobs, cookie: str, sayings: FlashMessages, offers: frozenset[str], tried: Callable[[], None]
) -> list[HTTPRouteHandler]:
    """The route of every action, and those by which a page follows what takes long.

    `offers` are the operations that may be asked for; `tried` is called after a wrong try at the person's passphrase.
    """

    @post("/actions/{name:str}", status_code=200)
    async def act(request: AnyRequest, name: FromPath[str]) -> Html:
        form = await request.form()
        sent = as_stored((key, str(value)) for key, value in form.multi_items())
        then = page_of_ours(dict(sent).get("then", ""))
        try:
            check_form(request, cookie, dict(sent))
            operation = _offered(mind, offers, name)
            given = arguments_of(operation, sent)
            caller = await proved(mind, caller_of(request), dict(sent), tried)
            if operation.takes_access:
                job = await jobs.start(caller, operation, given)
                job.then, job.said = then, dict(sent).get("said", "")
                return _shown(jobs, sayings, caller_of(request), job)
            if things := several(operation, sent):
                outcome = await do_for_each(mind, operation, caller, given, things)
                return _done(request, sayings, _said_of_several(operation, outcome, sent, len(things)), then)
            answer = await mind.dispatcher.call(operation, caller, given)
        except BigMindError as error:
            return refusal_page(request, error)
        if answer.shown_once:
            return _once(request, mind, operation, answer, then)
        return _refused(request, operation, answer) or _done(request, sayings, _said_of(operation, answer, sent), then)

    return [act, *_job_routes(jobs, cookie, sayings)]


def _job_routes(jobs: Jobs, cookie: str, sayings: FlashMessages) -> list[HTTPRouteHandler]:
    """By which a page follows what takes long, ends it, and puts its answer away."""

    @get("/jobs/{job_id:str}")
    async def follow(request: AnyRequest, job_id: FromPath[str]) -> Html:
        try:
            return _followed(jobs, sayings, caller_of(request), jobs.get(caller_of(request), job_id))
        except BigMindError as error:
            return problem_page(request, error)

    @post("/actions/jobs/{job_id:str}/cancel", status_code=200)
    async def cancel(request: AnyRequest, job_id: FromPath[str]) -> Html:
        """Have it stop; the page goes on following it until it has."""
        try:
            check_form(request, cookie, {})
            job = jobs.get(caller_of(request), job_id)
            job.cancel()
            return _shown(jobs, sayings, caller_of(request), job)
        except BigMindError as error:
            return problem_page(request, error)

    @post("/actions/jobs/{job_id:str}/seen", status_code=200)
    async def seen(request: AnyRequest, job_id: FromPath[str]) -> Html:
        """Show it no more: who read what came of it put it away."""
        try:
            check_form(request, cookie, {})
            jobs.get(caller_of(request), job_id).is_seen = True
        except BigMindError as error:
            return problem_page(request, error)
        return html("", 200)

    return [follow, cancel, seen]


def form_token_of(request: AnyRequest, cookie: str) -> str:
    """What a form of this browser has to carry."""
    return signed_form_token(cookie_value(request.headers.getall("cookie", []), cookie))


def check_form(request: AnyRequest, cookie: str, sent: Mapping[str, str]) -> None:
    """Refuse what no page of ours sent; the token is in a header, or among the fields.

    Raises:
        BigMindError: `forbidden`.
    """
    if not is_same(form_token_of(request, cookie), request.headers.get(TOKEN_HEADER) or sent.get("form_token", "")):
        # Made anew each time: an error that is raised keeps its traceback, and with it the request and the form.
        raise BigMindError(
            Code.FORBIDDEN, "This page has grown old; nothing was done.", "Load it again, then repeat it."
        )


def _offered(mind: Mind, offers: frozenset[str], name: str) -> Operation:
    """The operation of that name, if a page offers it; raises BigMindError `not_found`."""
    if name not in offers:
        raise _unknown(name)
    return operation_of(mind, name)


def operation_of(mind: Mind, name: str) -> Operation:
    """The operation of that name; raises BigMindError `not_found`."""
    operation = next((each for each in mind.dispatcher.catalogue if each.name == name), None)
    if operation is None:
        raise _unknown(name)
    return operation


def _unknown(name: str) -> BigMindError:
    return not_found("action", name, "The page may be of an older version: load it again.")


def _done(request: AnyRequest, sayings: FlashMessages, said: FlashMessage, then: str) -> Html:
    if "HX-Request" not in request.headers:
        sayings.say(caller_of(request), said)
        return Response(
            "",
            status_code=HTTP_303_SEE_OTHER,
            headers={**PAGE_HEADERS, "Location": then or "/"},
            media_type="text/html",
        )
    return _told(caller_of(request), said, then, sayings)


def _once(request: AnyRequest, mind: Mind, operation: Operation, answer: Answer, then: str) -> Html:
    """An answer that holds a secret: it stands where the form was, and is kept nowhere."""
    told: dict[str, Any] = {"answer": answer, "host": request.headers.get("host", "")}
    if "HX-Request" not in request.headers:
        theme = theme_of(mind.store.host.settings)
        return html(render("once_alone.html", {**told, "operation": operation.name, "theme": theme, "then": then}), 200)
    page = html(render(f"answers/{operation.name}.html", told), 200)
    page.headers.update(ACTED)
    return page


def _refused(request: AnyRequest, operation: Operation, answer: Answer) -> Html | None:
    """What was asked for and not done, with why: what was written stays in the form. None where it was done."""
    refusal: str = getattr(answer, "refusal", "")
    if not refusal:
        return None
    if operation.name in TOLD_WHY and "HX-Request" in request.headers:
        told = {"answer": answer, "words": work_words}
        return html(render(f"refused/{operation.name}.html", told), HTTP_STATUS[Code.CONFLICT])
    return problem_page(request, BigMindError(Code.INVALID_INPUT, refusal))


def _said_of(operation: Operation, answer: Answer, sent: Fields) -> FlashMessage:
    # What changed nothing has nothing to take back.
    undo = _undo(sent) if getattr(answer, "changed", True) else {}
    return _said(dict(sent).get("said", ""), operation, answer, undo)


def _said_of_several(operation: Operation, outcome: Outcome, sent: Fields, total: int) -> FlashMessage:
    named = dict(sent)
    text = f"Done for {len(outcome.done)} of {total}. {outcome.problem}" if outcome.problem else named.get("said", "")
    undo = {"operation": named["undo"], "fields": outcome.done} if named.get("undo") else {}
    return _said(text, operation, outcome.answer, undo)


def _said(text: str, operation: Operation, answer: Answer, undo: Mapping[str, Any]) -> FlashMessage:
    return FlashMessage(shortened(text or _first_line(answer), LONGEST_SAID), operation.name, answer, undo)


def _told(caller: Caller, said: FlashMessage, then: str, sayings: FlashMessages, before: str = "") -> Html:
    """What was done: told on this page, or on the one that it leads to."""
    if then:
        sayings.say(caller, said)
        page = html("", 200)
        page.headers["HX-Redirect"] = then
        return page
    page = html(before + render("_toast.html", {"said": said}), 200)
    page.headers.update(ACTED)
    return page


def _undo(sent: Fields) -> dict[str, Any]:
    """The operation that takes it back, with its fields; empty when the form named none."""
    operation = dict(sent).get("undo", "")
    fields = [(name.removeprefix("undo."), value) for name, value in sent if name.startswith("undo.")]
    return {"operation": operation, "fields": fields} if operation else {}


def _first_line(answer: Answer) -> str:
    return answer.as_text().strip().partition("\n")[0]


def _shown(jobs: Jobs, sayings: FlashMessages, caller: Caller, job: Job) -> Html:
    """How far a job is; what is to be shown once is not kept for a second time."""
    page = job_page(job)
    if job.answer is not None and job.said:
        said = _said(job.said, job.operation, job.answer, {})
        page = _told(caller, said, job.then, sayings, page.content)
    if job.answer is not None and job.answer.shown_once:
        jobs.forget(job)
    return page


def _followed(jobs: Jobs, sayings: FlashMessages, caller: Caller, job: Job) -> Html:
    """The same for a page that shows it already: while it can be ended, only how far it is takes the place of that.

    The button stays in its place until then; after that it goes.
    """
    page = _shown(jobs, sayings, caller, job)
    if job.is_running and not job.cancellation.is_too_late:
        page.headers.update({"HX-Retarget": f"#progress-{job.id}", "HX-Reselect": f"#progress-{job.id}"})
    return page


def job_page(job: Job) -> Html:
    """How far a job is; asks for itself again while it runs."""
    page = html(job_html(job), 200 if job.error is None else HTTP_STATUS[job.error.code])
    job.is_told = job.error is not None
    if job.answer is not None:
        page.headers.update({"HX-Redirect": job.then} if job.then else ACTED)
    return page


def refusal_page(request: AnyRequest, error: BigMindError) -> Html:
    """Why something was not begun; where it is running already, for a page that follows it, with how far that is."""
    if isinstance(error, JobRunningError) and "HX-Request" in request.headers:
        return html(job_html(error.job, is_elsewhere=True), HTTP_STATUS[error.code])
    return problem_page(request, error)
