"""What stands in for betterleaks where it has no build: vendors' own letters, and a word that only a machine makes."""

import string
from random import Random

import pytest

from bigmind.secrets.libraries import detect_secrets_finder
from bigmind.secrets.masking import format_findings, keyword_findings, mask_with
from bigmind.secrets.prefixes import PREFIXES, prefix_findings
from tests.secrets.benign import benign
from tests.secrets.samples import drawn

USED = (format_findings, keyword_findings, detect_secrets_finder(), prefix_findings)
ALPHABETS = {"hexadecimal digits": string.digits + "abcdef", "letters and digits": string.ascii_letters + string.digits}

AROUND = [
    "Use {}, says the wiki.",
    "(see {})",
    '{{"it": "{}"}}',
    "{}",
    "FIGMA={}",
    "`F={}`",
    "- env:{}",
    "https://api.example.com/v1/{}",
    "x?k={}",
    "x?k={}&page=2",
    "FIGMA={}/your-project",
]


@pytest.mark.parametrize("alphabet", ALPHABETS.values(), ids=ALPHABETS)
@pytest.mark.parametrize("around", AROUND)
def test_a_token_with_letters_of_its_vendor_is_masked_whole(around: str, alphabet: str) -> None:
    random = Random(7)
    for prefix in (each for prefixes in PREFIXES.values() for each in prefixes):
        secret = prefix + drawn(random, alphabet, 40)
        assert secret not in (masked := mask_with(USED, around.format(secret)).text), prefix
        assert secret[-8:] not in masked, prefix


def test_keys_of_hexadecimal_digits_behind_letters_of_many_are_masked() -> None:
    random = Random(8)
    for prefix, length in (("sk-", 32), ("sk_", 48), ("cs_", 40), ("ck_", 40)):
        secret = prefix + drawn(random, string.digits + "abcdef", length)
        assert mask_with(USED, f"It is {secret}.").text == "It is [masked: API key]."


def test_notes_of_engineers_are_untouched_without_betterleaks_too() -> None:
    touched = [(note, mask_with(USED, note).text) for note in benign(seed=1, number=1000)]
    assert [(note, masked) for note, masked in touched if note != masked] == []


@pytest.mark.parametrize(
    "text",
    [
        "the pod xai-7d9f8b6c5d-x2k4p was restarted",
        "call render_api_key_from_environment or pul-request-template-of-2026",
        "sha256~ stands before the digest, and pplx-your-key-goes-here-0000",
        "rnd_of_all_that_is_there_in_2026_and_2027",
    ],
)
def test_names_that_begin_like_a_token_stay(text: str) -> None:
    assert mask_with(USED, text).text == text
