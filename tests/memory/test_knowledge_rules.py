"""Who may do what with company knowledge, and what becomes of it: the decisions, as tables."""

from itertools import product

import pytest

from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Mode, Role
from bigmind.memory.rules import EntryState, Reviewer, edited, first_status, may_see, nearly_repeats, reviewed

PERSONAL, TEAM = Mode.PERSONAL, Mode.TEAM
MEMBER, CURATOR, ADMIN = Role.MEMBER, Role.CURATOR, Role.ADMIN
STATUSES = ("pending", "approved", "deprecated")


def outcome(function, *given, **named) -> str:
    try:
        return function(*given, **named)
    except BigMindError as error:
        return str(error.code)


@pytest.mark.parametrize(
    ("mode", "is_cautioned", "status"),
    [(PERSONAL, False, "approved"), (PERSONAL, True, "pending"), (TEAM, False, "pending"), (TEAM, True, "pending")],
)
def test_what_becomes_of_new_words(mode: Mode, is_cautioned: bool, status: str):
    assert first_status(mode, is_cautioned=is_cautioned) == status


@pytest.mark.parametrize(
    ("status", "action", "has_notes", "after"),
    [
        ("pending", "approve", False, "approved"),
        ("pending", "approve", True, "approved"),
        ("pending", "deprecate", False, "deprecated"),
        ("approved", "approve", True, Code.CONFLICT),
        ("approved", "deprecate", False, "deprecated"),
        ("deprecated", "approve", False, Code.INVALID_INPUT),
        ("deprecated", "approve", True, "approved"),
        ("deprecated", "deprecate", True, Code.CONFLICT),
    ],
)
@pytest.mark.parametrize("role", [CURATOR, ADMIN])
@pytest.mark.parametrize("mode", Mode)
def test_what_a_review_of_anothers_entry_makes_of_it(mode, role, status, action, has_notes, after):
    assert outcome(reviewed, EntryState(status), Reviewer(mode, role), action, has_notes=has_notes) == after


@pytest.mark.parametrize(
    ("mode", "role", "is_author", "is_cautioned", "is_in_person", "after"),
    [
        # Ordinary text.
        (PERSONAL, ADMIN, True, False, True, "approved"),
        (PERSONAL, ADMIN, True, False, False, "approved"),
        (PERSONAL, MEMBER, True, False, True, Code.FORBIDDEN),
        (TEAM, MEMBER, False, False, True, Code.FORBIDDEN),
        (TEAM, MEMBER, True, False, True, Code.FORBIDDEN),
        (TEAM, CURATOR, True, False, True, Code.FORBIDDEN),
        (TEAM, ADMIN, True, False, True, Code.FORBIDDEN),
        (TEAM, CURATOR, False, False, False, "approved"),
        (TEAM, ADMIN, False, False, True, "approved"),
        # Text that instructs its reader.
        (PERSONAL, ADMIN, True, True, False, Code.IN_PERSON),
        (PERSONAL, ADMIN, True, True, True, "approved"),
        (TEAM, CURATOR, False, True, False, Code.IN_PERSON),
        (TEAM, CURATOR, False, True, True, "approved"),
        (TEAM, ADMIN, True, True, True, Code.FORBIDDEN),
    ],
)
def test_who_may_approve(mode, role, is_author, is_cautioned, is_in_person, after):
    hand = Reviewer(mode, role, is_promoter=is_author, is_author=is_author, in_person=is_in_person)
    assert outcome(reviewed, EntryState("pending", is_cautioned), hand, "approve", has_notes=False) == after


def test_whoever_reviews_may_withdraw_their_own_and_what_instructs_its_reader():
    for mode, role, is_in_person in product(Mode, (CURATOR, ADMIN), (False, True)):
        hand = Reviewer(mode, role, is_promoter=True, is_author=True, in_person=is_in_person)
        for status in ("pending", "approved"):
            assert reviewed(EntryState(status, is_cautioned=True), hand, "deprecate", has_notes=False) == "deprecated"


@pytest.mark.parametrize(
    ("mode", "role", "is_promoter", "status", "is_cautioned", "after"),
    [
        (PERSONAL, ADMIN, True, "approved", False, "approved"),
        (PERSONAL, ADMIN, True, "approved", True, "pending"),
        (PERSONAL, ADMIN, False, "pending", False, "approved"),
        (PERSONAL, ADMIN, True, "deprecated", False, Code.CONFLICT),
        (PERSONAL, MEMBER, True, "approved", False, Code.FORBIDDEN),
        (PERSONAL, MEMBER, True, "pending", False, "approved"),
        (TEAM, MEMBER, True, "pending", False, "pending"),
        (TEAM, MEMBER, True, "approved", False, Code.FORBIDDEN),
        (TEAM, MEMBER, True, "deprecated", False, Code.FORBIDDEN),
        (TEAM, MEMBER, False, "approved", False, Code.FORBIDDEN),
        (TEAM, CURATOR, False, "approved", False, "pending"),
        (TEAM, CURATOR, True, "approved", False, "pending"),
        (TEAM, ADMIN, False, "pending", True, "pending"),
        (TEAM, ADMIN, False, "deprecated", False, Code.CONFLICT),
    ],
)
def test_what_an_edit_makes_of_an_entry(mode, role, is_promoter, status, is_cautioned, after):
    hand = Reviewer(mode, role, is_promoter=is_promoter, is_author=is_promoter)
    assert outcome(edited, EntryState(status), hand, is_cautioned=is_cautioned, has_new_words=True) == after


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("mode", Mode)
def test_a_note_alone_changes_no_status(mode: Mode, status: str):
    assert edited(EntryState(status), Reviewer(mode, CURATOR), is_cautioned=True, has_new_words=False) == status
    hand = Reviewer(mode, MEMBER, is_promoter=status != "pending")
    assert outcome(edited, EntryState(status), hand, is_cautioned=False, has_new_words=False) == Code.FORBIDDEN


@pytest.mark.parametrize("status", STATUSES)
def test_who_sees_an_entry(status: str):
    assert may_see(EntryState(status), Reviewer(TEAM, MEMBER)) is (status == "approved")
    assert may_see(EntryState(status), Reviewer(TEAM, MEMBER, is_promoter=True))
    assert may_see(EntryState(status), Reviewer(TEAM, CURATOR))


@pytest.mark.parametrize(
    ("first", "second", "is_repeat"),
    [
        (("Brass wheels", "They last."), ("BRASS WHEELS", "Something else entirely."), True),
        (("Wheels are of brass", "a"), ("Wheels of brass", "b"), True),
        (("One", "We release on Tuesday from main"), ("Two", "On Tuesday we release from main"), True),
        (("Release day", "Tuesday, from main"), ("Release branch", "Called main and protected"), False),
        (("Naming of tables", "Singular"), ("Naming of columns", "Lower case with underscores"), False),
        (("Straße", "x"), ("STRASSE", "y"), True),
        (("→", "x"), ("←", "y"), False),
    ],
)
def test_what_nearly_repeats_another(first: tuple[str, str], second: tuple[str, str], is_repeat: bool):
    assert nearly_repeats(*first, *second) is is_repeat
    assert nearly_repeats(*second, *first) is is_repeat
