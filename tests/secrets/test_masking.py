"""Every secret is masked wholly, wherever it stands, and nothing beside it."""

import subprocess
import sys
from random import Random

import pytest

from bigmind.secrets import masking
from bigmind.secrets.forms import format_findings
from bigmind.secrets.keywords import keyword_findings
from bigmind.secrets.libraries import detect_secrets_finder
from bigmind.secrets.masking import MaskedText, mask, mask_with
from bigmind.secrets.scan import find
from tests.secrets.benign import benign
from tests.secrets.samples import PLACED, TOKENS, Sample, placed_samples, samples, token_samples
from tests.thorough import often

EACH = often(200, 25)
LONG = often(2_500, 1_300)
"""Notes in a long text."""
GITHUB = "ghp_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5"
PIECE = 8


def pieces(secret: str) -> set[str]:
    """What would be left of a secret that was masked in part; the whole of a short one."""
    length = min(PIECE, len(secret))
    return {secret[place : place + length] for place in range(len(secret) - length + 1)}


def assert_masked(sample: Sample, masked: MaskedText) -> None:
    before, after = sample.written.split(sample.secret)
    assert not [piece for piece in pieces(sample.secret) if piece in masked.text and piece not in before + after], (
        sample
    )
    assert masked.kinds == (sample.kind,), sample
    expected = f"{before}[masked: {sample.kind}]{after}"
    assert masked.text == expected, sample


def test_there_are_more_than_22_types():
    assert len(TOKENS) + len(PLACED) > 22


@pytest.mark.parametrize("name", TOKENS)
def test_a_token_is_masked_in_sentences_code_and_settings(name: str):
    for sample in token_samples(name, seed=1, number=EACH):
        assert_masked(sample, mask(sample.written))


@pytest.mark.parametrize("name", PLACED)
def test_a_secret_is_masked_where_its_place_gives_it_away(name: str):
    for sample in placed_samples(name, seed=1, number=EACH):
        assert_masked(sample, mask(sample.written))


@pytest.mark.parametrize("sign", ["\u200b", "\u00ad", "\u2060\ufeff", "\u180e", "\u202e", "\ufe0f", "\U000e0061"])
def test_a_token_with_characters_in_it_that_nobody_sees_is_masked(sign: str):
    """As chats and pages put them into long words, for these to be broken."""
    for sample in token_samples("GitHub personal", seed=3, number=EACH):
        middle = len(sample.secret) // 2
        secret = f"{sample.secret[:middle]}{sign}{sample.secret[middle:]}"
        written = f"Zwölf {sign} " + sample.written.replace(sample.secret, secret) + sign
        assert_masked(Sample(written, secret, sample.kind), mask(written))


def test_signs_that_nobody_sees_hide_nothing_beside_a_tokens_own_signs_either():
    for sample in token_samples("JWT", seed=4, number=EACH):
        secret = sample.secret.replace(".", ".\u200b")
        written = sample.written.replace(sample.secret, secret)
        assert_masked(Sample(written, secret, sample.kind), mask(written))


def test_a_token_in_wide_letters_is_masked_and_wide_words_stay():
    wide = GITHUB.translate({ord(char): ord(char) + 0xFEE0 for char in GITHUB})
    assert mask(f"鍵は：{wide}、以上。") == MaskedText("鍵は：[masked: GitHub token]、以上。", ("GitHub token",))
    prose = "ＡＰＩの設定：ＵＲＬは２０２６年１１月に変わる。 Do\u00adnau\u00addampf\u00adschiff\u00adfahrt"
    assert mask(prose).text is prose


def test_every_type_is_masked_without_betterleaks_too():
    used = (format_findings, keyword_findings, detect_secrets_finder())
    for sample in samples(seed=2, number=20):
        assert_masked(sample, mask_with(used, sample.written))


def test_a_text_without_secrets_is_the_same_object():
    text = "the pool holds forty connections"
    assert mask(text).text is text
    assert mask(text).kinds == ()


def test_kinds_are_named_once_and_in_order():
    text = f"token {GITHUB}\npassword: hunter2\nand again {GITHUB}"
    masked = mask(text)
    assert masked.kinds == ("GitHub token", "password") == find(text)
    assert masked.text == "token [masked: GitHub token]\npassword: [masked: password]\nand again [masked: GitHub token]"


def test_several_secrets_on_a_line_are_masked_apart():
    other = GITHUB[:-1] + "Z"
    assert (
        mask(f"{GITHUB},{other} {GITHUB}").text == ",".join(["[masked: GitHub token]"] * 2) + " [masked: GitHub token]"
    )


def test_positions_hold_behind_characters_of_any_width():
    before = "é 🧠 \u202e 中文 \ud800 \x00 \u00a0 \t"
    assert mask(f"{before}{GITHUB}{before}").text == f"{before}[masked: GitHub token]{before}"


def test_lines_may_end_as_windows_ends_them():
    text = f"first\r\nDB_PASSWORD=swordfish-9\r\nlast {GITHUB}\r\n"
    assert mask(text).text == "first\r\nDB_PASSWORD=[masked: password]\r\nlast [masked: GitHub token]\r\n"


def test_a_password_is_masked_again_where_it_is_used():
    text = "password: 'Sommer2024!x'\nthen log in with Sommer2024!x as ada"
    assert mask(text).text == "password: '[masked: password]'\nthen log in with [masked: password] as ada"


def test_overlapping_findings_become_one_named_by_the_surest():
    assert mask(f"API_KEY={GITHUB}").text == "API_KEY=[masked: GitHub token]"
    assert mask(f"https://x:{GITHUB}@github.com/org/repo").kinds == ("GitHub token",)


def test_a_private_key_that_is_cut_off_is_masked_as_far_as_it_goes():
    line = "MIIEowIBAAKCAQEAx0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJK"
    text = f"see\n-----BEGIN RSA PRIVATE KEY-----\n{line}\n{line}\nand then it ends"
    assert mask(text).text == "see\n[masked: private key]\nand then it ends"


def test_a_private_key_of_putty_is_masked():
    text = (
        "PuTTY-User-Key-File-3: ssh-ed25519\r\nEncryption: none\r\nComment: ada\r\nPublic-Lines: 1\r\n"
        "AAAAC3NzaC1lZDI1NTE5AAAAIGx1\r\nPrivate-Lines: 1\r\nAAAAIB0k3yq9\r\nPrivate-MAC: 0a1b2c3d4e5f\r\nrest"
    )
    assert mask(text).text == "[masked: private key]\r\nrest"


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ("curl -u ada:hunter2 http://x.internal", "curl -u ada:[masked: password] http://x.internal"),
        ("mysql -uroot -phunter2 app", "mysql -uroot -p[masked: password] app"),
        ('{"a": "{\\"password\\": \\"hunter2\\"}"}', '{"a": "{\\"password\\": \\"[masked: password]\\"}"}'),
        ("the password is Tr0ub4dor&3.", "the password is [masked: password]."),
        ("JWT_SECRET=supersecretvalue", "JWT_SECRET=[masked: secret]"),
        ("f(user='ada', password='hunter2')", "f(user='ada', password='[masked: password]')"),
        (
            "//registry.npmjs.org/:_authToken=3f2a9c1b7d8e4f5a6b7c",
            "//registry.npmjs.org/:_authToken=[masked: npm token]",
        ),
        ("X-Api-Key: 4f9d2c7b1a8e6f30", "X-Api-Key: [masked: API key]"),
        ("ADMIN_TOKEN=abc12345xyz", "ADMIN_TOKEN=[masked: token]"),
        ("backend_token: 4f9d2c7b1a8e6f30", "backend_token: [masked: token]"),
        ("min_token: 4f9d2c7b1a8e6f30, nextToken: 4f9d2c7b1a", "min_token: 4f9d2c7b1a8e6f30, nextToken: 4f9d2c7b1a"),
    ],
)
def test_only_the_secret_goes(written: str, left: str):
    assert mask(written).text == left


def test_a_long_text_is_masked_in_every_part():
    random = Random(5)
    parts = [*benign(5, LONG), *(sample.written for sample in samples(seed=5, number=10))]
    random.shuffle(parts)
    text = "\n\n".join(parts)
    masked = mask(text)
    assert len(text) > 400_000
    assert not [sample for sample in samples(seed=5, number=10) if sample.secret in masked.text]
    assert mask(masked.text).text is masked.text


def test_a_run_of_many_tokens_is_one_finding() -> None:
    (found,) = detect_secrets_finder()("ghp_" * 5_000)
    assert (found.start, found.end) == (0, 20_000)


def test_a_token_that_begins_where_a_longer_one_ends_is_found_whole() -> None:
    first, second = ("SG." + "aB3dE5gH7jK9mN1pQ3rS5t." + part for part in ("x9Y8" * 10 + "z7W", "q6V5" * 10 + "r4U"))
    assert mask(f"{first}{second} there").text == "[masked: SendGrid API key] there"


def test_a_token_behind_placeholders_in_the_same_run_is_found() -> None:
    token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    for before in ("ghp_" + "x" * 36 + "_", "ghp_" + "x" * 2_000 + "_"):
        assert token not in mask(f"{before}{token} there").text


ENDLESS = """
from bigmind.secrets.masking import mask
assert mask("ghp_" * 65_000).text == "[masked: GitHub token]"
assert mask("token:" * 40_000 + " there").text.endswith(" there")
assert mask("sk-" * 80_000 + "T3BlbkFJ there").text.endswith(" there")
print("masked")
"""


def test_runs_of_beginnings_do_not_take_time_by_their_square() -> None:
    run = subprocess.run([sys.executable, "-c", ENDLESS], capture_output=True, text=True, timeout=120, check=True)
    assert run.stdout == "masked\n"


def test_short_texts_are_known_again_and_none_that_held_a_secret(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(masking, "MOST_CLEAN", 3)
    masking._clean.clear()
    secret = "password: hunter2-xk"
    for _ in range(2):
        assert mask(secret).text == "password: [masked: password]"
        assert mask("decision") == ("decision", ())
    mask("x" * (masking.SHORT + 1))
    assert masking._clean == {"decision"}
    for number in range(10):
        mask(f"category {number}")
    assert len(masking._clean) <= 3
    masking._clean.clear()


@pytest.mark.parametrize("emphasis", ["*", "**", "***", "__"])
def test_a_label_in_markdowns_emphasis_gives_its_value_away_wherever_its_sign_stands(emphasis: str) -> None:
    for label in (f"{emphasis}Password:{emphasis}", f"{emphasis}Password{emphasis}:"):
        for value in ("Kq7vRw2mTz", "`Kq7vRw2mTz`"):
            masked = mask(f"- {label} {value}")
            assert masked.kinds == ("password",), (label, value)
            assert "Kq7" not in masked.text
