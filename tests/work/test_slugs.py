"""What an item is called in addresses and commands: made of its title, in whatever script."""

from urllib.parse import quote

import pytest

from bigmind.mcp.addresses import LONGEST_URI, TASKS
from bigmind.work.items import item_named
from bigmind.work.rules import slug_of
from tests.work.office import Office, Worker


@pytest.fixture
def cursor(office: Office) -> Worker:
    return office.agent()


def test_a_title_that_gives_no_slug_is_told(cursor: Worker):
    title = "Ꭰꮣꮩꮟ Ꮠꮩꮣ"  # Cherokee: its letters look like Latin ones
    made = cursor("work_create_task", title=title, type="solo")
    assert made.in_words().startswith(
        "Its slug is item: of the title nothing can stand in one. Pass slug to choose it."
    )
    assert "slug is" not in cursor("work_create_task", title=title, type="solo", slug="pay-2").in_words()


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Возврат округлить до копейки", "vozvrat-okruglit-do-kopeiki"),
        ("Στρογγυλοποίηση επιστροφών", "stroggylopoiisi-epistrofon"),
        ("Починить объём API", "pochinit-obem-api"),
        ("Überprüfung, Łódź", "uberprufung-lodz"),
        ("返金をセントまで丸める", "返金をセントまで丸める"),
        ("ﾊﾝｶｸ の API 返金", "ハンカク-の-api-返金"),
        ("सेंट तक रिफंड पूरा करें", "सेंट-तक-रिफंड-पूरा-करें"),
        ("환불 금액, 반올림!", "환불-금액-반올림"),
        ("החזר כספי", "החזר-כספי"),
    ],
)
def test_a_slug_writes_cyrillic_and_greek_in_latin_letters_and_keeps_those_of_other_scripts(
    office: Office, cursor: Worker, title: str, slug: str
):
    """They were `item`, `item-2`, and `api`; Cyrillic letters beside Latin ones would look like those."""
    assert cursor("work_create_task", title=title, type="solo").slug == slug
    assert cursor("work_get_task", slug=slug).slug == slug
    with office.memory.mind.store.read(office.memory.caller, "test") as work:
        assert item_named(work, quote(slug)).slug == slug, "as the address of its resource has it"


def test_a_slug_that_is_passed_has_letters_of_scripts_that_look_like_no_latin_ones(cursor: Worker):
    assert cursor("work_create_task", title="返金の丸め", type="solo", slug="返金-2").slug == "返金-2"
    for each in ("раy-1", "ａpi", "a\u202eb", "返金。", "-返金", "pay\u17b4", "Ⴀⴁ", "\u10a0b"):
        assert cursor.refuses("work_create_task", title="返金の丸め", type="solo", slug=each).code == "invalid_input"


def test_a_slug_of_a_long_title_leaves_room_in_an_address():
    assert len(quote(f"{TASKS}/{slug_of('返金' * 100)}")) < LONGEST_URI


def test_a_hindi_title_says_what_it_is_about_and_a_question_with_it_counts(cursor: Worker):
    """Vowel signs ended its words, so that no more than single letters were left: it was refused as “Fix it” is."""
    slug = cursor("work_create_task", title="सेंट तक रिफंड पूरा करें", type="solo").slug
    cursor.ask("सेंट तक रिफंड पूरा करें: क्या पता है?")
    cursor.moves(slug, "active")
