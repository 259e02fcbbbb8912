"""Does what a page's form does, as the browser would send it."""

import re

import httpx

HTMX = {"HX-Request": "true"}


def act(client: httpx.Client, name: str, /, **fields: object) -> httpx.Response:
    """Send a form of the page to an operation."""
    return send(client, f"/actions/{name}", **fields)


def send(client: httpx.Client, path: str, /, **fields: object) -> httpx.Response:
    """Send a form of the page to where it says."""
    token = re.search(r'name="form_token" value="([0-9a-f]{64})"', client.get("/hypotheses").text)
    assert token is not None
    return client.post(path, data={"form_token": token[1], **fields}, headers=HTMX)


def act_to_the_end(client: httpx.Client, name: str, /, **fields: object) -> str:
    """The same of what takes long: followed until it is done, as the page follows it; what it says then."""
    page = act(client, name, **fields).text
    while following := re.search(r'hx-get="(/jobs/[^"]+)"', page):
        page = client.get(following[1], headers=HTMX).text
    return page


def take_back(client: httpx.Client, toast: str) -> httpx.Response:
    """Press the undo that a toast offers."""
    form = re.search(
        r'<form class="action inline" method="post" action="/actions/([a-z_]+)".*?</form>', toast, re.DOTALL
    )
    assert form is not None
    fields = dict(re.findall(r'<input type="hidden" name="([a-z_]+)" value="([^"]*)">', form.group()))
    return act(client, form[1], **fields)
