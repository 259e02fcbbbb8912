"""The offline measure counts what the real tokenizer counts, and never fewer."""

import base64
import json
import random
import re
import string
import sysconfig
import uuid
from pathlib import Path

import pytest
from faker import Faker
from hypothesis import given, settings
from hypothesis import strategies as st

from bigmind.text.tokens import AT_ONCE, AT_ONCE_OF_TOKEN, LONG_WORD, LONGEST_PIECE, beginning, count_tokens
from tests.memory.oracle import o200k
from tests.thorough import often

SEED = 1843
SAMPLES = 30
SHORTEST = 200
LOCALES = (  # noqa: SIM905
    "en_US de_DE fr_FR es_ES it_IT pt_BR ru_RU uk_UA el_GR pl_PL cs_CZ tr_TR fi_FI hu_HU ar_AA he_IL fa_IR hi_IN bn_BD "
    "ta_IN th_TH ja_JP zh_CN zh_TW ko_KR vi_VN ka_GE hy_AM"
).split()


def prose(locale: str) -> list[str]:
    fake = Faker(locale)
    fake.seed_instance(SEED)
    return [f"{fake.text(300)}\n{fake.name()}, {fake.address()}, {fake.company()}" for _ in range(SAMPLES)]


def code() -> list[str]:
    draw = random.Random(SEED)
    files = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    texts = [file.read_text(encoding="utf-8", errors="replace") for file in draw.sample(files, SAMPLES * 2)]
    return [text[len(text) // 3 :][:1_500] for text in texts if len(text) > 3 * SHORTEST]


def record(draw: random.Random) -> str:
    rows = [
        {
            "id": str(uuid.UUID(int=draw.getrandbits(128))),
            "n": draw.random(),
            "ok": bool(draw.getrandbits(1)),
            "x": None,
        }
        for _ in range(6)
    ]
    return json.dumps(rows, indent=draw.choice((None, 2)))


def letters(alphabet: str, length: int = 600):
    return lambda draw: "".join(draw.choices(alphabet, k=length))


def words(alphabet: str):
    return lambda draw: " ".join("".join(draw.choices(alphabet, k=draw.randint(2, 12))) for _ in range(80))


def characters(*ranges: range):
    def text(draw: random.Random) -> str:
        return "".join(chr(draw.choice(draw.choice(ranges))) for _ in range(300))

    return text


MADE = {
    "json": record,
    "base64": lambda draw: base64.b64encode(draw.randbytes(450)).decode(),
    "hex": lambda draw: draw.randbytes(300).hex(),
    "HEX": lambda draw: draw.randbytes(300).hex().upper(),
    "uuids": lambda draw: " ".join(str(uuid.UUID(int=draw.getrandbits(128))) for _ in range(20)),
    "lower": letters(string.ascii_lowercase),
    "upper": letters(string.ascii_uppercase),
    "mixed": letters(string.ascii_letters),
    "consonants": letters("bcdfghjklmnpqrstvwxz"),
    "CONSONANTS": letters("BCDFGHJKLMNPQRSTVWXZ"),
    "rare letters": letters("jkqvwxz"),
    "RARE LETTERS": letters("JKQVWXZ"),
    "alphanumeric": letters(string.ascii_letters + string.digits),
    "digits": letters(string.digits),
    "lower words": words(string.ascii_lowercase),
    "upper words": words(string.ascii_uppercase),
    "mixed words": words(string.ascii_letters),
    "punctuation": letters(string.punctuation),
    "white space": letters(" \n\t\r\f\v"),
    "blanks": lambda draw: "\n".join(" " * draw.randint(0, 20) + "x = 1" for _ in range(60)),
    "paths": lambda draw: "\n".join("src/" + words("abcdefgh_")(draw).replace(" ", "/") for _ in range(3)),
    "emoji": characters(range(0x1F300, 0x1FAFF)),
    "emoji with joiners": letters("👩👨👧🏽🏿❤️‍🔥🇫🇷🇩🇪✈️", 300),
    "latin": characters(range(0xA0, 0x250)),
    "plane 0": characters(range(0x20, 0xD800), range(0xE000, 0xFFFE)),
    "other planes": characters(range(0x10000, 0x110000)),
    "control": characters(range(1, 32), range(127, 160)),
    "spaces of Unicode": letters("\u00a0\u2002\u2003\u200b\u2028\u2029\u202f\u3000\ufeff a", 300),
    "combining": letters("aeiou\u0300\u0301\u0308\u0323", 300),
}


@pytest.mark.parametrize("locale", LOCALES)
def test_prose_is_counted_exactly(locale: str):
    texts = prose(locale)
    assert [count_tokens(text) for text in texts] == [o200k(text) for text in texts]


@pytest.mark.parametrize("kind", MADE)
def test_what_is_not_prose_is_never_undercounted(kind: str):
    draw = random.Random(f"{SEED} {kind}")
    texts = [MADE[kind](draw) for _ in range(SAMPLES)]
    assert min(map(len, texts)) >= SHORTEST
    short = [text for text in texts if count_tokens(text) < o200k(text)]
    assert not short


def test_code_is_counted_exactly():
    # A longer run of blanks or signs is counted in parts; which of the files have one differs between Pythons.
    longer = re.compile(rf" {{{LONGEST_PIECE + 1}}}|[^A-Za-z0-9\s]{{{LONGEST_PIECE + 1}}}")
    texts = [text for text in code() if not longer.search(text)]
    assert len(texts) >= SAMPLES
    assert [count_tokens(text) for text in texts] == [o200k(text) for text in texts]


def test_what_memories_are_made_of_is_counted_exactly():
    lines = (
        "- **[constraint]** Amounts are integers in minor units (cents); never floats. `1f0c9a2e`",
        "| 2026-04-11 | 🟡 📄 Retry-Backoff für `pay-api` eingeführt `77b1d0c4` | retries, http | läuft auf staging |",
        "### 📅 Recent sessions\n| Date | Headline | Topics | Outcome |\n|---|---|---|---|",
        "I'd say we're on github.com/acme/pay@main, it's 3.5x faster: p99 = 41 ms (was 143 ms)!!",
        "決済サービスは整数（円）で計算する。\r\nテストは pytest -q で実行。",
        "naïve café\u00a0— “quoted” … \t\t\n\n  indented\n",
    )
    assert [count_tokens(line) for line in lines] == [o200k(line) for line in lines]


def test_a_text_that_is_counted_in_parts_has_as_many_as_one_that_is_counted_at_once():
    text = "\n\n".join(text for locale in LOCALES for text in prose(locale)[:3])
    assert len(text) > AT_ONCE
    assert count_tokens(text) == o200k(text)
    short = text[: AT_ONCE // 4]
    assert count_tokens(short, len(short) // AT_ONCE_OF_TOKEN + 1) > len(short) // AT_ONCE_OF_TOKEN
    assert count_tokens(short, len(short)) == count_tokens(short) == o200k(short)


@given(st.sampled_from([text for locale in LOCALES[::3] for text in prose(locale)[:2]]), st.integers(0, 200))
def test_a_beginning_is_as_much_as_fits(text: str, most: int):
    begun = beginning(text, most)
    assert text.startswith(begun)
    assert o200k(begun) <= most
    assert begun == text or o200k(text[: len(begun) + LONG_WORD]) > most  # one word more would be too much


@pytest.mark.parametrize("most", [0, 5, 100])
def test_counting_stops_where_nobody_asks_further(most: int):
    assert most < count_tokens("the engine weaves " * 10_000, most) <= most + 1
    assert count_tokens("the engine", 100) == 2


def test_the_count_is_additive_enough_for_budgets():
    """Sections are measured alone and joined with line ends: the whole is never dearer than the parts say."""
    parts = [text for locale in LOCALES for text in prose(locale)[:2]] + code()[:5]
    joined = "\n\n".join(parts)
    assert count_tokens(joined) <= sum(map(count_tokens, parts)) + 2 * len(parts)


def test_nothing_costs_nothing():
    assert count_tokens("") == 0


FRAGMENTS = st.one_of(
    st.text(min_size=20, max_size=120),
    st.text(st.characters(max_codepoint=127), min_size=20, max_size=120),
    st.text(string.ascii_letters + string.digits + "_-./:", min_size=20, max_size=120),
    st.text(string.punctuation + " ", min_size=20, max_size=120),
    st.text(st.characters(categories=("So", "Sk", "Mn", "Cf")), min_size=10, max_size=60),
    st.sampled_from(
        ["The user prefers small commits and plain words.", "def f(x):\n    return x\n", "## 🧠 | a | b |\n"]
    ),
    st.sampled_from([text for locale in LOCALES[::3] for text in prose(locale)[:2]]),
)


@settings(max_examples=often(300, 100), deadline=None)
@given(st.lists(FRAGMENTS, min_size=1, max_size=12), st.sampled_from(["", " ", "\n", "\n\n", " · ", "|"]))
def test_mixtures_are_never_undercounted(fragments: list[str], between: str):
    text = between.join(fragments)
    while len(text) < SHORTEST:
        text += between + text
    assert count_tokens(text) >= o200k(text)
