"""The flags that a text gets by itself, each at its edges, and what adds little to what it rests on."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bigmind.brain.categories import Draft
from bigmind.brain.quality import adds_little, telling_words, text_flags
from tests.thorough import often

WORDS = ["alpha", "bravo", "charlie", "delta", "foxtrot", "golf", "hotel", "india", "juliett", "kilo"]
ASKED = "Where is the outbox of the payment worker configured for staging?"
REPEATED = "The outbox of the payment worker is configured for staging."


def flags(text: str, *prompts: str) -> list[str]:
    return text_flags(Draft(text), prompts)


def is_echo(text: str, *prompts: str) -> bool:
    return "keyword_echo" in flags(text, *prompts)


def is_orphan(text: str) -> bool:
    return "orphaned_reference" in flags(text)


def is_naked(text: str) -> bool:
    return "naked_statement" in flags(text)


@pytest.mark.parametrize(("shared", "echo"), [(5, False), (6, False), (7, True), (10, True)])
def test_a_text_is_an_echo_when_more_than_six_of_its_ten_words_were_asked(shared: int, echo: bool) -> None:
    assert is_echo(" ".join(WORDS), " ".join(WORDS[:shared])) is echo


def test_three_of_five_words_are_sixty_per_cent_exactly_and_no_echo() -> None:
    assert not is_echo(" ".join(WORDS[:5]), " ".join(WORDS[:3]))
    assert is_echo(" ".join(WORDS[:5]), " ".join(WORDS[:4]))


def test_a_word_counts_once_however_often_it_stands() -> None:
    assert not is_echo(f"{'alpha ' * 9} bravo charlie", "alpha")


def test_words_of_two_letters_do_not_count_and_those_of_three_do() -> None:
    assert not is_echo("it is on us to go", "it is on us to go")
    assert not is_echo("abc def it is on", "it is on def")
    assert is_echo("abc it is on", "abc")


def test_neither_case_nor_punctuation_makes_another_word() -> None:
    assert is_echo("STRASSE, Alpha! (bravo)", "straße; alpha: bravo?")


def test_the_words_must_stand_in_one_prompt_and_not_in_several_together() -> None:
    assert not is_echo(" ".join(WORDS), " ".join(WORDS[:5]), " ".join(WORDS[5:]))


@pytest.mark.parametrize(("later", "echo"), [(0, True), (4, True), (5, False)])
def test_the_fifth_prompt_back_counts_and_the_sixth_does_not(later: int, echo: bool) -> None:
    assert is_echo(REPEATED, ASKED, *(["What else?"] * later)) is echo


def test_without_a_prompt_or_without_words_there_is_no_echo() -> None:
    assert not is_echo(REPEATED)
    assert not is_echo("… !", "… !", "")


def test_a_prompt_without_blanks_between_words_can_be_echoed_too() -> None:
    assert is_echo("支付回调必须先写入数据库", "支付回调为什么必须先写入数据库？")
    assert not is_echo("支付回调必须先写入数据库", "仓库系统怎么检查订单？")


@pytest.mark.parametrize(("length", "orphan"), [(149, True), (150, False), (151, False)])
def test_a_reference_stands_for_itself_from_150_characters_on(length: int, orphan: bool) -> None:
    text = "See the runbook of the failover. " + "x" * 200
    assert is_orphan(text[:length]) is orphan
    assert is_orphan(f"{text[:length]}\n  ") is orphan


@pytest.mark.parametrize(
    "text",
    [
        "See docs/failover.md",
        "see the ticket",
        "Please see PAY-219 for the reasons.",
        "The taxes are clarified, see PAY-219.",
        "The upload is special (see the comment in the code).",
        "Agreed by everybody; see the minutes.",
        "Release process: see https://wiki.example.net/release",
        "For the details of the retries see the thread in the channel.",
        "For rotating the keys of the API see docs/rotation.md",
        "More background - see also the README of the importer.",
        "Das Vorgehen ist beschrieben, siehe Confluence.",
        "Voir le ticket PAY-219 pour la suite.",
    ],
)
def test_a_short_text_that_points_elsewhere_is_orphaned(text: str) -> None:
    assert is_orphan(text)


@pytest.mark.parametrize(
    "text",
    [
        "We see errors from the gateway every night.",
        "Users see a blank page and reload it.",
        "To see the effect turn on the frame counter.",
        "You can see the prefix of the job in the log.",
        "Open the dashboard to see the table of tenants.",
        "The probes did not see the outage.",
        "Support will see it first, then we see the ticket.",
        "People who see the old price call the hotline.",
        "Let's see if the new index helps.",
        "See if the pod restarts after an hour.",
        "We foresee no trouble with the oversee role of the seer.",
        "C'est pour voir les erreurs du service.",
    ],
)
def test_what_somebody_sees_is_no_reference(text: str) -> None:
    assert not is_orphan(text)


@pytest.mark.parametrize(
    "text",
    [
        "Caching is important for performance and should be used wherever it makes sense.",
        "We should pay more attention to error handling and write better tests in the future.",
        "The new service is much faster than the old one, and everybody likes it.",
        "We need better e2e tests and/or more care, e.g. in reviews.",
        "EVERYTHING IS BROKEN AND NOBODY CARES",
        "OK, so this is NEVER going to be as good as it could be, TBD.",
        "I'm sure that it's fine, and I'm glad ...and so on. You know what I mean, I think.",
        "Nobody knows who owns the job. Everybody wants it gone.",
        "Die Architektur sollte z.B. möglichst einfach gehalten werden und gut verständlich sein.",
        "Il faut toujours bien tester le code avant de le mettre en production.",
        "代码要写得清楚一点。",
    ],
)
def test_a_text_without_anything_to_act_on_is_naked(text: str) -> None:
    assert is_naked(text)


@pytest.mark.parametrize(
    "text",
    [
        "The gateway waits for 3 seconds.",
        "The gateway tries it twelve times.",
        "The gateway is owned by Marta these days.",
        "Marta owns the gateway these days.",
        "Jonas keeps the tables, he has to approve each change.",
        "The bootloader falls back to slot B in the end.",
        "The limit is in getUserById, as always.",
        "The limit is in user_id, as always.",
        "The limit is in a.b.c, as always.",
        "Run it with --dry-run at first.",
        "Run it with `make` at first.",
        "The gateway speaks TLS only.",
        "The gateway runs on kubernetes only.",
        "The gateway is never changed on a friday.",
        "The gateway is configured in src/gateway, as always.",
        "The gateway is configured in /etc/gateway, as always.",
        r"The gateway is configured in C:\gateway, as always.",
        "The gateway is slow because it is shared.",
        "Restart the gateway to avoid a leak.",
        "The gateway locks the table, so run the job at night.",
        "Das Gateway ist langsam, weil es von allen genutzt wird.",
        "Das Gateway läuft auf Kubernetes.",
        "La passerelle est lente parce que tout le monde l'utilise.",
        "重启 nginx 之后缓存会丢失。",
        "缓存会在重启之后丢失，因为它只在内存里。",
        "缓存保留三天。",
        "再起動するとキャッシュが消えるので、夜に行う。",
        "ذاكرة التخزين redis تفرغ عند إعادة التشغيل",
    ],
)
def test_a_number_a_name_a_date_a_path_or_a_reason_is_enough(text: str) -> None:
    assert not is_naked(text)


def test_a_french_number_or_reason_is_one_in_french_alone() -> None:
    assert is_naked("Round refunds to the cent is a thing that one simply does and that works well for everybody.")
    assert is_naked("It should be easy for everybody, by train, car or bus, and it mostly is so.")
    assert not is_naked("Le cache ne garde que cent entrées, et les autres sont perdues.")
    assert not is_naked("Il faut mille requêtes pour remplir le cache de la page.")
    assert not is_naked("Le cache est vidé chaque nuit, car les prix changent souvent.")


def test_in_german_a_capital_alone_is_no_name() -> None:
    assert is_naked("Die Konfiguration der Anwendung sollte immer gut gepflegt werden.")
    assert not is_naked("Keep the configuration of the Anwendung well.")
    assert is_naked("Man sollte Code sauber schreiben.")
    assert is_naked("Die Dokumentation sollte immer aktuell sein.")
    assert is_naked("Ein Review hilft allen im Team.")
    assert not is_naked("Man sollte Redis vor dem Start leeren.")
    assert not is_naked("The cache falls back to the Anwendung.")


def test_a_reason_among_the_alternatives_is_one() -> None:
    draft = Draft("The team keeps the monolith as it is.", alternatives="Splitting it, because it grows")
    assert text_flags(draft, []) == []


def test_flags_come_in_the_order_of_the_spec() -> None:
    text = "For the details of the retries see the thread in the channel."
    assert flags(text, text) == ["keyword_echo", "orphaned_reference", "naked_statement"]


def test_telling_words_are_roots_without_stop_words() -> None:
    assert telling_words("The workers of the outbox are retrying") == telling_words("A worker retries outboxes")
    assert telling_words("It is what it is, and so are we.") == frozenset()
    assert telling_words("Der Import ist nicht für die Kunden") == telling_words("IMPORT KUNDEN")


@pytest.mark.parametrize(("new", "little"), [(0, True), (2, True), (3, False), (4, False)])
def test_fewer_than_three_new_telling_words_add_little(new: int, little: bool) -> None:
    source = "The outbox is read once a second by the payment worker."
    assert adds_little(f"{source} And also with the {' '.join(WORDS[:new])}.", [source]) is little


def test_a_word_is_new_when_it_stands_in_none_of_the_sources() -> None:
    sources = ["alpha bravo", "charlie delta"]
    assert adds_little("alpha charlie foxtrot golf", sources)
    assert not adds_little("alpha charlie foxtrot golf hotel", sources)
    assert adds_little("Alphas, bravos and charlies", sources)
    assert not adds_little("alpha bravo charlie", [])


def test_long_texts_are_compared_to_their_end() -> None:
    source = " ".join(f"word{chr(97 + number % 26)}{chr(97 + number // 26 % 26)}" for number in range(600))
    assert not adds_little(f"{source} alpha bravo charlie", [source])
    assert adds_little(f"{source} alpha bravo", [source])


@settings(max_examples=often(300, 30))
@given(st.text(max_size=300), st.lists(st.text(max_size=100), max_size=7))
def test_any_text_is_judged_the_same_each_time(text: str, prompts: Sequence[str]) -> None:
    assert text_flags(Draft(text), prompts) == text_flags(Draft(text), prompts)
    assert adds_little(text, [text])


@pytest.mark.timeout(10)
@pytest.mark.parametrize("piece", ["a", "\n", "a/", "see ", "for x ", "um ", ", ", "`", "A ", "a_", "支"])
def test_ten_thousand_characters_are_judged_at_once(piece: str) -> None:
    text = (piece * 10_000)[:10_000]
    assert isinstance(flags(text, text), list)
    assert adds_little(text, [text])
