"""What the person does about their passphrase on the pages: setting and removing it, in the app's window alone."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from bigmind.core.operation import Effect, Surface
from bigmind.operations.catalogue import Answer, operation
from bigmind.operations.inputs import SECRET, cleaned
from bigmind.people.passphrases import LONGEST, SHORTEST, PassphrasePlace, Passphrases
from bigmind.server.passphrase_change import note_user_changed, remove_passphrase, set_passphrase
from bigmind.store.work import Work

NO_TERMINAL = frozenset({Surface.API})
"""No command: on a command line it would stand in the list of processes and in the shell's history."""

NewPassphrase = Annotated[
    str,
    BeforeValidator(cleaned),
    Field(min_length=SHORTEST, max_length=LONGEST, description="Several words.", json_schema_extra=SECRET),
]
Again = Annotated[
    str,
    BeforeValidator(cleaned),
    Field(max_length=LONGEST, description="The same once more.", json_schema_extra=SECRET),
]


class PassphraseChanged(Answer):
    """There is another passphrase now, or none."""

    is_set: bool

    def as_text(self) -> str:
        return "The passphrase is set." if self.is_set else "There is no passphrase any more."


class ChangesSeen(Answer):
    """The notice of what changed the passphrase was seen by the person."""

    changes: int

    def as_text(self) -> str:
        return "The notice is put away."


class TriesSeen(Answer):
    """Wrong tries were seen by the person."""

    tries: int

    def as_text(self) -> str:
        return f"{self.tries} wrong tries are put away."


@operation(
    "Set the passphrase",
    Effect.WRITE,
    toolset="server",
    in_window=True,
    while_paused=True,
    masks=False,
    surfaces=NO_TERMINAL,
)
def passphrase_set(work: Work, passphrase: NewPassphrase, again: Again) -> PassphraseChanged:
    """Set or change the passphrase that BigMind's pages ask for in a browser; the one there was holds no more."""
    set_passphrase(work, passphrase, again, PassphrasePlace.WINDOW)
    return PassphraseChanged(is_set=True)


@operation(
    "Remove the passphrase", Effect.WRITE, toolset="server", in_window=True, while_paused=True, surfaces=NO_TERMINAL
)
def passphrase_remove(work: Work) -> PassphraseChanged:
    """Take the passphrase away: what is done in person is done in BigMind's window alone from then on."""
    remove_passphrase(work, PassphrasePlace.WINDOW)
    return PassphraseChanged(is_set=False)


@operation(
    "Put wrong tries away", Effect.WRITE, toolset="server", in_window=True, while_paused=True, surfaces=NO_TERMINAL
)
def passphrase_see_tries(work: Work) -> TriesSeen:
    """Say that the wrong tries at the passphrase were seen; a page need not wait before the next one."""
    note_user_changed(work)
    return TriesSeen(tries=Passphrases(work.host.settings.home).see_tries(work.caller.username))


@operation(
    "Put the notice away", Effect.WRITE, toolset="server", in_person=True, while_paused=True, surfaces=NO_TERMINAL
)
def passphrase_see_changes(work: Work) -> ChangesSeen:
    """Say that you saw when and where the passphrase was set or removed."""
    note_user_changed(work)
    return ChangesSeen(changes=Passphrases(work.host.settings.home).see_changes(work.caller.username))


OPERATIONS = (passphrase_set, passphrase_remove, passphrase_see_tries, passphrase_see_changes)
"""For the catalogue."""
