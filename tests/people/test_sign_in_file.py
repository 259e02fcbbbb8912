"""The file that signs a browser in: what comes from it is taken with a valid code; nothing else gets in so."""

import os
import random
import time
from pathlib import Path
from urllib.parse import urlencode

import httpx
import pytest

from bigmind.paths import sign_in_folder
from bigmind.people.sign_in_file import CODE_LIFETIME, FROM_FILE, write_sign_in_file
from tests.http.inside import Inside
from tests.thorough import often

FROM_A_FILE = {"Origin": "null", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
FORM = "application/x-www-form-urlencoded"
FOREIGN = [
    {"Origin": "http://evil.com"},
    {"Origin": "file://"},
    {"Origin": "null", "Sec-Fetch-Dest": "iframe"},
    {"Origin": "null", "Sec-Fetch-Dest": "empty"},
    {"Origin": "null", "Sec-Fetch-Site": "same-site"},
    {"Origin": "http://127.0.0.1:1", "Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Origin": "NULL"},
    {"Origin": "null, null"},
    {"Origin": ""},
]


def new_code(inside: Inside) -> str:
    return inside.sign_in.new_code(inside.caller(inside.token()))


def posted(inside: Inside, code: str, headers: dict[str, str], path: str = FROM_FILE) -> httpx.Response:
    with inside.http() as browser:
        return browser.post(path, data={"code": code}, headers=headers)


def test_the_page_names_its_code_only_inside_and_goes_once_it_was_used(inside: Inside) -> None:
    code = new_code(inside)
    path = write_sign_in_file(inside.home, f"{inside.address}/sign-in?code={code}")
    assert code not in str(path)
    assert os.name != "posix" or path.stat().st_mode & 0o077 == 0
    answered = posted(inside, code, FROM_A_FILE)
    assert answered.status_code == 200
    assert f"url=/sign-in?code={code}" in answered.text
    assert "set-cookie" not in answered.headers
    assert not path.exists()
    with inside.http() as browser:
        assert browser.get(f"/sign-in?code={code}").status_code == 303


def test_with_a_code_that_is_none_it_is_refused_as_any_other_page(inside: Inside) -> None:
    draw, code = random.Random(9), new_code(inside)
    spent = new_code(inside)
    with inside.http() as browser:
        browser.get(f"/sign-in?code={spent}")
    near = ["", spent, code[:-1], f"{code}A", code.swapcase(), f"{code}&code={code}", inside.token(), "\x00", "é"]
    near += ["".join(draw.sample(code, len(code))) for _ in range(often(100, 5))]
    before = inside.everything()
    for each in near:
        answered = posted(inside, each, FROM_A_FILE)
        assert answered.status_code == 403, each
        assert answered.headers["content-type"] == "application/problem+json"
    with inside.http() as browser:
        twice = browser.post(
            FROM_FILE, content=f"code={code}&code={code}", headers={**FROM_A_FILE, "Content-Type": FORM}
        )
        assert twice.status_code == 403
    assert inside.everything() == before


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_a_valid_code_lets_nobody_else_in_and_is_not_used(inside: Inside, headers: dict[str, str]) -> None:
    code, before = new_code(inside), inside.everything()
    assert posted(inside, code, headers).status_code == 403
    assert inside.sign_in.holder(code) is not None
    assert {**inside.everything(), "codes": ""} == {**before, "codes": ""}


def test_no_other_route_takes_what_comes_from_a_file(inside: Inside) -> None:
    code = new_code(inside)
    paths = {each.path for each in inside.routes if "{" not in each.path} - {FROM_FILE}
    assert len(paths) > 50
    with inside.browser(inside.token()) as browser:
        for path in paths:
            for method in ("GET", "POST"):
                answered = browser.request(method, path, data={"code": code}, headers=FROM_A_FILE)
                assert answered.status_code == 403, (method, path)
    assert posted(inside, code, {**FROM_A_FILE, "Host": "evil.com"}).status_code == 421
    with inside.http() as browser:
        assert browser.get(FROM_FILE, params={"code": code}, headers=FROM_A_FILE).status_code == 403
        assert browser.post(FROM_FILE, json={"code": code}, headers=FROM_A_FILE).status_code == 415
    assert inside.sign_in.holder(code) is not None


def test_old_files_go_with_the_next_one(inside: Inside) -> None:
    link = f"{inside.address}/sign-in?code="
    old = write_sign_in_file(inside.home, link + new_code(inside))
    then = time.time() - CODE_LIFETIME.total_seconds() - 1
    os.utime(old, (then, then))
    new = write_sign_in_file(inside.home, link + new_code(inside))
    assert list(sign_in_folder(inside.home).iterdir()) == [new]


@pytest.mark.parametrize("code", ['"><script>alert(1)</script>', "'{}", "a b&c", "{code}"])
def test_whatever_a_code_holds_it_is_text_on_the_page(tmp_path: Path, code: str) -> None:
    page = write_sign_in_file(tmp_path, f"http://127.0.0.1:1/sign-in?{urlencode({'code': code})}").read_text()
    assert "<script>alert" not in page
