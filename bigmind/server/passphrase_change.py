"""Setting and removing the passphrase: the ledger tells it first, then the file has it, and a notice says where."""

from bigmind.core.errors import BigMindError, Code, invalid
from bigmind.core.events import Action, Kind
from bigmind.core.plain_text import clean
from bigmind.people.passphrases import LONGEST, SHORTEST, PassphrasePlace, Passphrases
from bigmind.people.tables import User
from bigmind.store.work import Work
from bigmind.work.ledger.ledger_rows import Entry, append

SET, REMOVED = "passphrase_set", "passphrase_removed"
"""The kinds of the ledger's rows. They say no `actor`: at a terminal and at a sign-in nothing proves a person."""


def set_passphrase(work: Work, text: str, again: str, place: PassphrasePlace) -> None:
    """Set or change the passphrase of the caller.

    Raises:
        BigMindError: `invalid_input`, when the two are not the same, or what was typed is too short or too plain;
            `storage_full` or `store_unusable`, when it cannot be written. Nothing is changed then.
    """
    check_passphrase(text, again)
    _note(work, SET, place)
    Passphrases(work.host.settings.home).set(work.caller.username, text, work.now, place)


def set_first_passphrase(work: Work, text: str, again: str) -> None:
    """The same at the first sign-in: only where the caller never had one.

    Raises:
        BigMindError: `in_person`, when they have one or had one; else as `set_passphrase`.
    """
    if not Passphrases(work.host.settings.home).is_untouched(work.caller.username):
        raise no_first_sign_in()
    set_passphrase(work, text, again, PassphrasePlace.FIRST_SIGN_IN)


def remove_passphrase(work: Work, place: PassphrasePlace) -> None:
    """Take the passphrase of the caller away.

    Raises:
        BigMindError: `conflict`, when there is none; `storage_full` or `store_unusable`. Nothing is changed then.
    """
    _note(work, REMOVED, place)
    if not Passphrases(work.host.settings.home).remove(work.caller.username, work.now, place):
        raise BigMindError(Code.CONFLICT, "There is no passphrase.", "Nothing was changed.")


def check_passphrase(text: str, again: str) -> None:
    """Whether it can be one. Raises as `set_passphrase`; what was typed stands in no error."""
    if again != text:
        raise BigMindError(Code.INVALID_INPUT, "The two are not the same. Nothing was changed.", "Type both again.")
    if not SHORTEST <= len(text) <= LONGEST or clean(text) != text:
        raise invalid("passphrase", "what is not shown", f"{SHORTEST} to {LONGEST} characters")
    if len(set(text)) < SHORTEST // 2:
        raise invalid("passphrase", "what is not shown", "several words, for example four that you choose at random")


def no_first_sign_in() -> BigMindError:
    """A passphrase was to be set on a page of a browser that may not."""
    return BigMindError(
        Code.IN_PERSON,
        "On a page in a browser a passphrase is set once: right after the sign-in by the first link of all. "
        "Nothing was changed.",
        "Set it in BigMind's window, in Settings under You; or stop BigMind and run `bigmind passphrase set` in a "
        "terminal.",
    )


def _note(work: Work, kind: str, place: PassphrasePlace) -> None:
    """Have the change in ledger and journal, and their disk take it, before the file is changed."""
    append(work, Entry(kind, "", {"place": place.value}))
    note_user_changed(work)


def note_user_changed(work: Work) -> None:
    """Have pages look again, and the disk take that before a file is changed."""
    work.changed(Kind.USER, work.session.get_one(User, work.caller.user_id).uid, Action.UPDATED)
    work.session.flush()
