"""The passphrase: set in the window, kept as a hash outside of the store, its wrong tries slowed, counted and told."""

import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from bigmind.backup.service import backup_now
from bigmind.core.errors import BigMindError, Code
from bigmind.people import passphrases
from bigmind.people.passphrases import FREE_TRIES, LONGEST_PAUSE, PassphrasePlace, Passphrases
from bigmind.work.ledger.ledger_rows import rows
from bigmind.work.ledger.ledger_verification import verify
from tests.http.good import PASSPHRASE, ask, own_things
from tests.http.inside import FakeClock, Inside, server_inside
from tests.people.test_in_person import ON_PAGES, by_link, by_window, has_passphrase
from tests.thorough import often, spread
from tests.ui.acting import act
from ui.forms.in_person import FIELD
from ui.render import HERE

pytestmark = pytest.mark.xdist_group("in-person")

TEMPLATES = HERE / "templates"
OTHER = "another gate over no river"
NOW = datetime(2026, 3, 30, 9, 15, tzinfo=UTC)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
CHANGES = st.sampled_from(
    [str.upper, str.title, lambda text: f"{text} ", lambda text: text[:-1], lambda text: text * 2]
)


@pytest.fixture
def clocked(tmp_path: Path) -> Iterator[tuple[Inside, FakeClock]]:
    clock = FakeClock()
    with server_inside(tmp_path / "home", clock) as inside:
        yield inside, clock


def code_of(known: Passphrases, text: str, now: datetime) -> str:
    """Empty when it is the passphrase, else what is said."""
    try:
        known.prove("ada", text, now)
    except BigMindError as error:
        return error.message if error.code is Code.IN_PERSON else repr(error)
    return ""


@pytest.mark.usefixtures("quick")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=often(60, 20))
@given(right=TEXTS, wrong=st.one_of(TEXTS, st.none()), change=CHANGES)
def test_nothing_but_the_passphrase_is_it(tmp_path: Path, right: str, wrong: str | None, change: object) -> None:
    assert callable(change)
    tried = change(right) if wrong is None else wrong
    assume(passphrases._hash(tried, b"x") != passphrases._hash(right, b"x"))
    known = Passphrases(tmp_path)
    known.set("ada", right, NOW, PassphrasePlace.WINDOW)
    assert code_of(known, tried, NOW).startswith("This is not your passphrase")
    assert code_of(known, right, NOW) == ""
    with pytest.raises(BigMindError):
        known.prove("bob", right, NOW)


@pytest.mark.usefixtures("quick")
@given(minutes=st.lists(st.integers(min_value=-2_000, max_value=2_000), min_size=5, max_size=60))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=often(40, 15))
def test_wrong_tries_wait_longer_and_longer_whatever_the_clock_does(tmp_path: Path, minutes: list[int]) -> None:
    """And never longer than the bound: what keeps pages waiting can be waited for."""
    Passphrases(tmp_path).set("ada", PASSPHRASE, NOW, PassphrasePlace.WINDOW)
    now, checked = NOW, 0
    for each in minutes:
        known = Passphrases(tmp_path)  # as after a restart
        checked += code_of(known, OTHER, now).startswith("This is not")
        now += timedelta(minutes=each)
    found = Passphrases(tmp_path).of("ada")
    assert found is not None
    assert found.wrong == found.streak == checked
    for _ in range(2):  # the second, where the clock was set back before the first
        with suppress(BigMindError):
            Passphrases(tmp_path).prove("ada", PASSPHRASE, now)
        now += LONGEST_PAUSE
    assert code_of(Passphrases(tmp_path), PASSPHRASE, now) == ""


@pytest.mark.usefixtures("quick")
def test_a_day_of_guessing_is_a_few_dozen_tries(tmp_path: Path) -> None:
    known = Passphrases(tmp_path)
    known.set("ada", PASSPHRASE, NOW, PassphrasePlace.WINDOW)
    seconds = range(0, 86_400, 5)
    looked_at = [s for s in seconds if code_of(known, OTHER, NOW + timedelta(seconds=s)).startswith("This is not")]
    assert len(looked_at) < 40
    assert looked_at[: FREE_TRIES + 1] == [0, 5, 10, 20]


@pytest.mark.usefixtures("quick")
def test_tries_at_once_are_counted_one_by_one(tmp_path: Path) -> None:
    known = Passphrases(tmp_path)
    known.set("ada", PASSPHRASE, NOW, PassphrasePlace.WINDOW)
    with ThreadPoolExecutor(16) as threads:
        said = list(threads.map(lambda _: code_of(Passphrases(tmp_path), OTHER, NOW), range(64)))
    assert sum(each.startswith("This is not") for each in said) == FREE_TRIES
    assert "try again in 10 seconds" in code_of(known, PASSPHRASE, NOW)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    "spoilt", spread(["", "{", "[]", '{"ada": 1}', '{"ada": {"hash": ""}}', '{"ada": {"salt": "zz", "hash": ""}}'], 3)
)
def test_a_spoilt_file_proves_nobody_and_is_replaced_in_the_window(inside: Inside, spoilt: str) -> None:
    own_things(inside, "ada")
    (inside.home / "passphrases.json").write_text(spoilt, encoding="utf-8")
    with closing(by_link(inside)) as browser, closing(by_window(inside)) as window:
        refused = act(browser, "memory_accept", id="profile", **{FIELD: PASSPHRASE})
        assert (refused.status_code, "no passphrase yet" in refused.text) == (403, True)
        assert act(window, "passphrase_set", passphrase=PASSPHRASE, again=PASSPHRASE).status_code == 200
        assert "not your passphrase" in act(browser, "memory_accept", id="profile", **{FIELD: OTHER}).text


def accept(inside: Inside, browser: httpx.Client, text: str) -> httpx.Response:
    entry = own_things(inside, "ada").entry
    return act(browser, "memory_accept", id=entry, **{FIELD: text})


def test_set_and_changed_in_the_window_the_newest_holds(inside: Inside) -> None:
    with closing(by_link(inside)) as browser, closing(by_window(inside)) as window:
        for text in (PASSPHRASE, OTHER):
            done = act(window, "passphrase_set", passphrase=text, again=text)
            assert (done.status_code, text in done.text) == (200, False)
        assert accept(inside, browser, PASSPHRASE).status_code == 403
        assert accept(inside, browser, OTHER).status_code == 200
        assert act(window, "passphrase_remove").status_code == 200
        assert "no passphrase yet" in accept(inside, browser, OTHER).text


@pytest.mark.usefixtures("quick")
def test_one_that_is_refused_is_not_shown(inside: Inside) -> None:
    with closing(by_window(inside)) as window:
        for first, again in (("short", "short"), (OTHER, PASSPHRASE), ("x" * 900, "x" * 900), ("aaaaaaaaaaaa",) * 2):
            refused = act(window, "passphrase_set", passphrase=first, again=again)
            assert refused.status_code == 422
            assert first not in refused.text
            assert again not in refused.text
    assert Passphrases(inside.home).of("ada") is None


@pytest.mark.usefixtures("quick")
def test_neither_it_nor_what_was_tried_is_written_anywhere(inside: Inside) -> None:
    with closing(by_link(inside)) as browser, closing(by_window(inside)) as window:
        assert act(window, "passphrase_set", passphrase=PASSPHRASE, again=PASSPHRASE).status_code == 200
        assert accept(inside, browser, OTHER).status_code == 403
        assert accept(inside, browser, PASSPHRASE).status_code == 200
    backup_now(inside.mind.store, "manual")
    for file in (each for each in inside.home.rglob("*") if each.is_file()):
        kept = file.read_bytes()
        assert not any(text.encode() in kept for text in (PASSPHRASE, OTHER)), file
    assert os.name != "posix" or (inside.home / "passphrases.json").stat().st_mode & 0o077 == 0


@pytest.mark.usefixtures("quick")
def test_no_backup_and_no_file_brings_one_or_takes_one_away(inside: Inside, tmp_path: Path) -> None:
    person = inside.caller(inside.token())
    ids = own_things(inside, "ada")
    before = backup_now(inside.mind.store, "manual").name
    has_passphrase(inside, OTHER)
    within = backup_now(inside.mind.store, "manual").name
    ask(inside, person, "memory_export", output_path=str(tmp_path / "all.json"))
    found = Passphrases(inside.home).of("ada")
    assert found is not None
    assert found.hash not in (tmp_path / "all.json").read_text(encoding="utf-8")
    has_passphrase(inside)
    for name in (before, within):
        ask(inside, person, "backup_restore", backup=name)
        assert code_of(Passphrases(inside.home), PASSPHRASE, NOW) == ""
        assert code_of(Passphrases(inside.home), OTHER, NOW) != ""
    ask(inside, person, "memory_import", path=str(tmp_path / "all.json"))
    assert code_of(Passphrases(inside.home), PASSPHRASE, NOW) == ""
    Passphrases(inside.home).remove("ada", NOW, PassphrasePlace.WINDOW)
    ask(inside, person, "backup_restore", backup=within)
    assert Passphrases(inside.home).of("ada") is None
    assert ids.entry


@pytest.mark.usefixtures("quick")
def test_pages_say_how_to_set_one_and_ask_for_it_once_there_is(inside: Inside) -> None:
    own_things(inside, "ada")
    with closing(by_link(inside)) as browser, closing(by_window(inside)) as window:
        without = browser.get("/health").text
        assert "You have none yet: open the window" in without
        assert "passphrase set</code> in a terminal" in without
        assert without.count("You have none yet") == 1, "said once, of however much waits"
        assert f'name="{FIELD}"' not in without
        assert ">Accept</button>" not in without
        assert ">Accept</button>" in window.get("/health").text
        assert 'action="/actions/passphrase_set"' in window.get("/settings").text
        has_passphrase(inside)
        asked = browser.get("/health").text
        assert re.search(rf'type="password" name="{FIELD}" required', asked)
        assert ">Accept</button>" in asked
        assert f'name="{FIELD}"' not in window.get("/health").text
        assert 'action="/actions/passphrase_set"' not in browser.get("/settings").text


@pytest.mark.usefixtures("quick")
def test_what_reads_like_an_instruction_is_approved_with_it(inside: Inside) -> None:
    entry = own_things(inside, "ada").entry
    has_passphrase(inside)
    with closing(by_link(inside)) as browser:
        assert f'name="{FIELD}"' in browser.get(f"/knowledge/{entry}").text
        assert act(browser, "memory_approve_global", entry_id=entry, action="approve").status_code == 403
        approved = act(browser, "memory_approve_global", entry_id=entry, action="approve", **{FIELD: PASSPHRASE})
        assert approved.status_code == 200


@pytest.mark.usefixtures("quick")
def test_wrong_tries_are_told_and_never_keep_the_window_waiting(clocked: tuple[Inside, FakeClock]) -> None:
    inside, clock = clocked
    entry = own_things(inside, "ada").entry
    has_passphrase(inside)
    with closing(by_link(inside)) as browser, closing(by_window(inside)) as window:
        for _ in range(30):
            assert act(browser, "memory_accept", id=entry, **{FIELD: OTHER}).status_code == 403
        slowed = act(browser, "memory_accept", id=entry, **{FIELD: PASSPHRASE})
        assert "try again in 10 seconds" in slowed.text
        for page in ("/", "/health", "/settings"):
            assert "3 wrong tries at your passphrase" in window.get(page, follow_redirects=True).text
        assert "3 wrong tries at your passphrase" in browser.get("/health").text
        clock.forward(timedelta(seconds=11))
        assert act(browser, "memory_accept", id=entry, **{FIELD: OTHER}).status_code == 403
        assert act(window, "memory_accept", id=entry).status_code == 200
        assert "4 wrong tries" in window.get("/health").text
        assert act(browser, "passphrase_see_tries", **{FIELD: PASSPHRASE}).status_code == 403
        assert act(window, "passphrase_see_tries").status_code == 200
        assert "wrong tries" not in window.get("/health").text
        assert accept(inside, browser, PASSPHRASE).status_code == 200


@pytest.mark.usefixtures("quick")
def test_each_change_is_told_on_every_page_until_the_person_puts_it_away(inside: Inside) -> None:
    with closing(by_link(inside)) as browser, closing(by_window(inside)) as window:
        assert act(window, "passphrase_set", passphrase=PASSPHRASE, again=PASSPHRASE).status_code == 200
        for page in ("/health", "/facts", "/settings"):
            for shown in (browser, window):
                assert "Your passphrase was set in BigMind’s window" in shown.get(page).text
        assert act(browser, "passphrase_see_changes").status_code == 403
        assert act(browser, "passphrase_see_changes", **{FIELD: OTHER}).status_code == 403
        assert act(browser, "passphrase_see_changes", **{FIELD: PASSPHRASE}).status_code == 200
        assert "Your passphrase was" not in browser.get("/health").text
        Passphrases(inside.home).set("ada", OTHER, NOW, PassphrasePlace.TERMINAL)
        Passphrases(inside.home).remove("ada", NOW, PassphrasePlace.TERMINAL)
        told = browser.get("/health").text
        assert "Your passphrase was set at a terminal" in told
        assert "Your passphrase was removed at a terminal" in told
        assert act(browser, "passphrase_see_changes", **{FIELD: OTHER}).status_code == 403
        assert act(window, "passphrase_see_changes").status_code == 200
        assert "Your passphrase was" not in browser.get("/health").text


@pytest.mark.usefixtures("quick")
def test_of_many_changes_the_newest_are_told(tmp_path: Path) -> None:
    for hours in range(30):
        Passphrases(tmp_path).set("ada", PASSPHRASE, NOW + timedelta(hours=hours), PassphrasePlace.WINDOW)
    known = Passphrases(tmp_path).known("ada")
    assert known is not None
    assert [each.at for each in known.changes] == [NOW + timedelta(hours=hours) for hours in range(20, 30)]


@pytest.mark.usefixtures("quick")
def test_the_ledger_tells_of_each_change_and_still_agrees(inside: Inside) -> None:
    with closing(by_window(inside)) as window:
        assert act(window, "passphrase_set", passphrase=PASSPHRASE, again=PASSPHRASE).status_code == 200
        assert act(window, "passphrase_set", passphrase="short", again="short").status_code == 422
        assert act(window, "passphrase_remove").status_code == 200
        assert act(window, "passphrase_remove").status_code == 409
    caller = inside.caller(inside.token())
    with inside.mind.store.read(caller, "test") as work:
        told = [(each.body["kind"], each.body["place"], each.body["surface"]) for each in rows(work)]
        assert verify(work).faults == []
    assert told == [("passphrase_set", "window", "window"), ("passphrase_removed", "window", "window")]


@pytest.mark.usefixtures("quick")
def test_a_form_of_another_site_is_no_try(inside: Inside) -> None:
    has_passphrase(inside)
    with closing(by_link(inside)) as browser:
        forged = browser.post("/actions/memory_accept", data={"id": "profile", FIELD: OTHER, "form_token": "0" * 64})
        assert forged.status_code == 403
    found = Passphrases(inside.home).of("ada")
    assert found is not None
    assert found.wrong == 0


@pytest.mark.parametrize("name", [operation.name for operation in ON_PAGES])
def test_every_form_of_it_asks_for_the_passphrase_or_says_how_to_set_one(name: str) -> None:
    asked = [
        form
        for template in TEMPLATES.rglob("*.html")
        for form in re.findall(
            rf'call m\.(?:action|confirm)\([^%]*"{name}".*?endcall', template.read_text("utf-8"), re.DOTALL
        )
    ]
    assert asked
    for form in asked:
        assert "in_person" in form, form
