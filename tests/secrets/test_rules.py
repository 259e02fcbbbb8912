"""What a library's own rule takes for a secret is masked: no filter before it, and none behind it, says otherwise."""

import importlib
import re
from random import Random

import pytest

from bigmind.secrets.labels import kind_of_rule
from bigmind.secrets.masking import mask
from bigmind.secrets.scan import find
from bigmind.text.small_letters import small_letters
from tests.secrets.rules import allow_long_parts, leak_rules, plugin_patterns, texts_of
from tests.thorough import often

betterleaks = pytest.importorskip("betterleaks")
allow_long_parts()
EACH = often(40, 2)
MADE, HEARD = often(30, 6), often(20, 4)
"""Texts of each pattern, and how many of them are heard at least."""
FEWEST = 300
"""Rules whose made texts the library itself finds; the others want a checksum, a real word or a second part nearby."""


def is_guess(rule: str) -> bool:
    """Whether a rule has no vendor's form: what it finds is judged again, as all that only a word gives away."""
    return rule.startswith("generic-")


def found_in(text: str) -> list[tuple[str, str]]:
    """The secrets that betterleaks finds in a text, with their rules; not what only stands beside a secret."""
    leaks = [(leak.rule_id, leak.secret) for leak in betterleaks.scan_string(text)]
    return [(rule, secret) for rule, secret in leaks if kind_of_rule(rule) and not is_guess(rule)]


@pytest.mark.parametrize("seed", range(often(10, 1)))
def test_all_that_a_rule_of_betterleaks_finds_alone_in_a_note_is_masked(seed: int):
    random = Random(seed)
    found, missed = set[str](), list[tuple[str, str]]()
    for pattern in leak_rules().values():
        for text in texts_of(pattern, random, EACH):
            for rule, secret in found_in(text):
                found.add(rule)
                if secret in mask(text).text:
                    missed.append((rule, text))
    assert not missed
    assert len(found) > FEWEST


def test_each_plugin_of_detect_secrets_is_heard():
    """Of some plugins only what is strong: their patterns match words too. Rows of spaces end a form."""
    random = Random(5)
    unheard = list[tuple[str, str]]()
    for name, pattern in plugin_patterns():
        made = [re.sub(" {3,}", "  ", text) for text in texts_of(pattern, random, MADE)]
        if (heard := sum(bool(mask(text).kinds) for text in made)) < HEARD:
            unheard.append((name, f"{heard} of {len(made)}, as in {made[0]}"))
    assert unheard == []


@pytest.mark.parametrize(
    "around", ["It is {}, says the wiki.", "Use {}.", "(see {})", "key: **{}**", "| {}|", "{}", "Is it {}?"]
)
@pytest.mark.parametrize(("prefix", "length"), [
    ("sk-or-v1-", 64), ("sbp_", 40), ("rubygems_", 48), ("shippo_live_", 40), ("pul-", 40),
])  # fmt: skip
def test_hexadecimal_digits_behind_a_prefix_are_found_in_a_sentence(prefix: str, length: int, around: str):
    random = Random(f"{prefix}{around}")
    made = [prefix + random.randbytes(length // 2).hex() for _ in range(often(50, 5))]
    secrets = [secret for secret in made if found_in(secret)]
    assert secrets
    for secret in secrets:
        note = around.format(secret)
        assert len(find(note)) == 1, note
        assert secret[len(prefix) :] not in mask(note).text


def test_the_words_that_the_library_knows_are_in_small_letters_as_the_texts_are_read():
    words = importlib.import_module("detect_secrets.plugins.keyword").DENYLIST
    assert words
    assert [each for each in words if each != small_letters(each)] == []


def test_a_word_in_letters_of_another_shape_gives_a_secret_away():
    assert mask("PA\u017f\u017fWORD = 'h7Gq2kLmZx91'").kinds == ("password",)
