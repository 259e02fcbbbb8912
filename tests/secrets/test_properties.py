"""What holds for any text."""

from itertools import pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

from bigmind.secrets.masking import finders, mask, secrets_of
from tests.secrets.samples import samples

SECRETS = [sample.written for sample in samples(seed=9, number=3)]
FRAGMENTS = [
    "password", "token", "secret", "api_key", ": ", "=", " = ", '"', "'", "`", "hunter2", "A1b2C3d4E5f6G7h8", "Bearer ",
    "Authorization: ", "://", "@", "eyJ", ".", "[masked: ", "]", "[masked: password]", "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----", "QUJDREVGSElKS0xNTk9QUVJT", "\n", "\r\n", "\x00", "\x1f", "\ud800",
    "🧠", "ß", "\\", "--",
    "$", "{", "}", "(", ")", ";", "&", ",", "sk-", "AKIA", "ghp_", "  ",
]  # fmt: skip
TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5"
ANY = st.text(st.characters(codec=None), max_size=300)
MADE = st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.sampled_from(SECRETS), ANY), max_size=12).map("".join)


@given(st.one_of(ANY, MADE))
def test_masking_twice_is_masking_once(text: str):
    masked = mask(text)
    again = mask(masked.text)
    assert again.text is masked.text
    assert again.kinds == ()


@given(MADE)
def test_a_text_is_changed_exactly_when_a_kind_is_named(text: str):
    masked = mask(text)
    assert (masked.text is text) == (masked.kinds == ())
    assert list(masked.kinds) == sorted(set(masked.kinds))
    assert all(f"[masked: {kind}]" in masked.text for kind in masked.kinds)


@given(st.one_of(ANY, MADE), st.one_of(ANY, MADE))
def test_what_stands_around_a_secret_stays(before: str, after: str):
    before, after = before + "\n\n", "\n\n" + after
    assume(not mask(before).kinds and not mask(after).kinds and "-----" not in before + after)
    assert mask(before + TOKEN + after).text == before + "[masked: GitHub token]" + after


@given(MADE)
def test_findings_lie_in_the_text_and_apart(text: str):
    found = secrets_of(finders(), text)
    assert all(0 <= finding.start < finding.end <= len(text) for finding in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
