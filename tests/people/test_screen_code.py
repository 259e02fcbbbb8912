"""The six-digit code on the screen: for one browser, for minutes, for few tries, and hardly ever for who guesses."""

import threading
from dataclasses import dataclass, field
from itertools import count

import pytest

from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Caller, Role
from bigmind.people.screen_code import LIVES_SECONDS, TRIES, ScreenCode, digits_in

ADA = Caller(user_id=1, username="ada", role=Role.MEMBER, client="terminal", token_id=0, is_person=True)
BOB = Caller(user_id=2, username="bob", role=Role.ADMIN, client="terminal", token_id=0, is_person=True)


@dataclass
class Display:
    """A screen that somebody looks at, and a clock that the test moves."""

    is_on: bool = True
    seen: list[str] = field(default_factory=list)
    now: float = 1_000.0

    def can_show(self) -> bool:
        return self.is_on

    def show_code(self, code: str) -> None:
        self.seen.append(code)

    @property
    def code(self) -> str:
        return self.seen[-1].replace(" ", "")

    @property
    def wrong(self) -> str:
        return f"{(int(self.code) + 1) % 1_000_000:06d}"


@pytest.fixture
def display() -> Display:
    return Display()


@pytest.fixture
def codes(display: Display) -> ScreenCode:
    made = ScreenCode(lambda: display.now)
    made.offer(ADA, display)
    return made


def refused(codes: ScreenCode, browser: str) -> str:
    with pytest.raises(BigMindError) as refusal:
        codes.ask(browser)
    assert refusal.value.code is Code.UNAVAILABLE
    assert "bigmind open" in refusal.value.hint
    return refusal.value.message


def test_a_code_signs_its_browser_in_once(codes: ScreenCode, display: Display) -> None:
    codes.ask("mine")
    assert codes.awaits("mine")
    assert len(display.code) == 6
    assert codes.shown_to(ADA) == display.seen[0]
    assert codes.redeem("mine", display.code) is ADA
    assert codes.redeem("mine", display.code) is None
    assert (codes.shown_to(ADA), codes.awaits("mine")) == ("", False)


def test_nobody_else_is_shown_it(codes: ScreenCode) -> None:
    codes.ask("mine")
    assert codes.shown_to(BOB) == ""


def test_it_ends_after_two_minutes(codes: ScreenCode, display: Display) -> None:
    codes.ask("mine")
    display.now += LIVES_SECONDS - 0.01
    assert codes.awaits("mine")
    display.now += 0.01
    assert (codes.awaits("mine"), codes.shown_to(ADA)) == (False, "")
    assert codes.redeem("mine", display.code) is None


def test_it_ends_with_the_fifth_wrong_try(codes: ScreenCode, display: Display) -> None:
    codes.ask("mine")
    for left in range(TRIES, 0, -1):
        assert codes.awaits("mine") is True, left
        assert codes.redeem("mine", display.wrong) is None
    assert codes.awaits("mine") is False
    assert codes.redeem("mine", display.code) is None


def test_another_browser_can_neither_use_it_nor_spend_its_tries(codes: ScreenCode, display: Display) -> None:
    codes.ask("mine")
    for other in ("", "theirs", "mine "):
        for _ in range(TRIES + 1):
            assert codes.redeem(other, display.code) is None
        assert not codes.awaits(other)
    assert codes.redeem("mine", display.code) is ADA


def test_while_one_is_shown_no_other_browser_gets_one(codes: ScreenCode, display: Display) -> None:
    codes.ask("mine")
    display.now += LIVES_SECONDS - 1
    assert "another browser" in refused(codes, "theirs")
    assert codes.redeem("mine", display.code) is ADA


def test_a_new_one_ends_the_old_one(codes: ScreenCode, display: Display) -> None:
    codes.ask("mine")
    old = display.code
    assert "Try again in 5 seconds" in refused(codes, "mine")
    display.now += 5
    codes.ask("mine")
    assert old == display.code or codes.redeem("mine", old) is None
    assert codes.redeem("mine", display.code) is ADA


def test_who_guesses_gets_five_tries_an_hour_in_the_end(codes: ScreenCode, display: Display) -> None:
    """A day of guessing, as fast as it goes: fewer tries than one in five thousand of all codes."""
    end, tries = display.now + 86_400, 0
    for number in count():
        try:
            codes.ask(f"guess {number}")
        except BigMindError:
            display.now += 1
            if display.now > end:
                break
            continue
        for _ in range(TRIES):
            codes.redeem(f"guess {number}", display.wrong)
            tries += 1
    assert 24 * TRIES <= tries < 200
    assert tries / TRIES == len(display.seen)


def test_who_signs_in_is_not_made_to_wait_again(codes: ScreenCode, display: Display) -> None:
    for _ in range(10):
        codes.ask("mine")
        assert codes.redeem("mine", display.code) is ADA


def test_the_pauses_begin_anew_after_a_day(codes: ScreenCode, display: Display) -> None:
    for _ in range(12):
        codes.ask("mine")
        display.now += 3_600
    display.now += 86_400
    codes.ask("mine")
    display.now += 5
    codes.ask("mine")


def test_of_many_who_type_it_at_once_one_is_signed_in(codes: ScreenCode, display: Display) -> None:
    codes.ask("mine")
    together, found = threading.Barrier(TRIES), []

    def redeem() -> None:
        together.wait()
        found.append(codes.redeem("mine", display.code))

    threads = [threading.Thread(target=redeem) for _ in range(TRIES)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found.count(ADA) == 1


def test_of_many_who_ask_at_once_one_is_shown_a_code(codes: ScreenCode, display: Display) -> None:
    together, refusals = threading.Barrier(8), []

    def ask(browser: str) -> None:
        together.wait()
        try:
            codes.ask(browser)
        except BigMindError as error:
            refusals.append(error)

    threads = [threading.Thread(target=ask, args=(f"browser {each}",)) for each in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert (len(display.seen), len(refusals)) == (1, 7)


def test_where_nothing_would_be_seen_none_is_made(codes: ScreenCode, display: Display) -> None:
    display.is_on = False
    assert not codes.is_offered()
    assert "neither a window nor a tray icon" in refused(codes, "mine")
    assert not ScreenCode().is_offered()
    assert codes.shown_to(ADA) == ""


def test_who_shows_it_is_told_when_it_comes_and_goes(codes: ScreenCode, display: Display) -> None:
    told: list[str] = []
    codes.listen(lambda: told.append(codes.shown_to(ADA)))
    codes.ask("mine")
    codes.redeem("mine", display.wrong)
    codes.redeem("mine", display.code)
    assert told == [display.seen[0], ""]


@pytest.mark.parametrize(
    ("typed", "digits"),
    [
        ("012345", "012345"),
        (" 012 345\n", "012345"),
        ("012-345", "012345"),
        ("０１２３４５", "012345"),
        ("12345", ""),
        ("1234567", ""),
        ("12345x", ""),
        ("²²²²²²", ""),
        ("", ""),
    ],
)
def test_six_digits_are_read_as_people_type_them(typed: str, digits: str) -> None:
    assert digits_in(typed) == digits
