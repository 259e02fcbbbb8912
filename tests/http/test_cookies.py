"""The browser's cookie among those that other sites of this machine have set: cookies know no ports."""

import pytest

from bigmind.http.guard import cookie_value

OURS = "bigmind_7700=bm_secret"


@pytest.mark.parametrize(
    "others",
    [
        'prefs={"theme":"dark"}',
        "a=hello world",
        "x=ünï",
        "k[x]=1",
        "path=/; expires=x",
        "bare",
        "=",
        "",
        "a=b=c;;",
        '"q',
    ],
)
def test_ours_is_found_beside_whatever_others_wrote(others: str):
    assert cookie_value([f"{others}; {OURS}"], "bigmind_7700") == "bm_secret"
    assert cookie_value([f"{OURS};{others}"], "bigmind_7700") == "bm_secret"
    assert cookie_value([others, OURS], "bigmind_7700") == "bm_secret"


@pytest.mark.parametrize("headers", [[], [""], ["bigmind_77000=x"], ["xbigmind_7700=x"], ["bigmind_7700"]])
def test_none_is_nothing(headers: list[str]):
    assert cookie_value(headers, "bigmind_7700") == ""
