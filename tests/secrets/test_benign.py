"""What only looks like a secret, or speaks of one, stays as it was."""

import pytest

from bigmind.secrets.masking import mask
from bigmind.secrets.plausibility import is_placeholder, is_reference, is_strong
from tests.secrets.benign import FIXED, SHAPES, benign

NOTES = 1000


def test_a_thousand_notes_of_engineers_are_untouched():
    notes = benign(seed=1, number=NOTES)
    assert len(set(notes)) > NOTES * 0.9
    touched = [(note, mask(note).text) for note in notes if mask(note).text is not note]
    assert touched == []


def test_other_notes_of_the_same_kind_are_untouched():
    touched = [(note, mask(note).text) for note in benign(seed=2, number=NOTES)[len(FIXED) :] if mask(note).kinds]
    assert touched == []


def test_the_notes_speak_of_secrets():
    words = ("password", "token", "secret", "key", "passwor", "密码", "パスワード", "mot de passe")
    speaking = [note for note in benign(seed=1, number=NOTES) if any(word in note.lower() for word in words)]
    assert len(speaking) > NOTES / 2
    assert len(FIXED) > 100
    assert len(SHAPES) > 20


@pytest.mark.parametrize("value", ["xxxx", "****", "changeme", "<your-token>", "your-api-key", "...", "REDACTED-1"])
def test_a_placeholder_is_no_secret(value: str):
    assert is_placeholder(value)


@pytest.mark.parametrize(
    "value",
    ["${DB_PASSWORD}", "$TOKEN", "os.environ[", "getenv(", "config.db.password", "DB_PASSWORD", "/run/secrets/db"],
)
def test_a_reference_is_no_secret(value: str):
    assert is_reference(value)


@pytest.mark.parametrize("value", ["hunter2", "Tr0ub4dor.3x", "/TGSNNt/v4zQGXooooWJnDRdH1huQva5GSA/rUaB", "p4ss/w0rd"])
def test_a_secret_is_no_reference(value: str):
    assert not is_reference(value)
    assert not is_placeholder(value)


def test_only_a_machine_makes_strong_values():
    assert is_strong("aB3dE5gH7jK9mN1p")
    assert not is_strong("correct horse battery staple 11")
    assert not is_strong("a-long-name-in-kebab-case-v12")
