"""What the person does about their passphrase: in the app's window, and nowhere else."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from bigmind.core.errors import BigMindError, Code, invalid
from bigmind.core.events import Action, Kind
from bigmind.core.operation import Effect, Surface
from bigmind.operations.catalogue import Answer, operation
from bigmind.operations.inputs import SECRET, cleaned
from bigmind.people.passphrases import LONGEST, SHORTEST, Passphrases
from bigmind.people.tables import User
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
    if again != passphrase:
        raise BigMindError(Code.INVALID_INPUT, "The two are not the same. Nothing was changed.", "Type both again.")
    if len(set(passphrase)) < SHORTEST // 2:
        raise invalid("passphrase", "what is not shown", "several words, for example four that you choose at random")
    _note(work)
    Passphrases(work.host.settings.home).set(work.caller.username, passphrase, work.now)
    return PassphraseChanged(is_set=True)


@operation(
    "Remove the passphrase", Effect.WRITE, toolset="server", in_window=True, while_paused=True, surfaces=NO_TERMINAL
)
def passphrase_remove(work: Work) -> PassphraseChanged:
    """Take the passphrase away: what is done in person is done in BigMind's window alone from then on."""
    _note(work)
    if not Passphrases(work.host.settings.home).remove(work.caller.username):
        raise BigMindError(Code.CONFLICT, "There is no passphrase.", "Nothing was changed.")
    return PassphraseChanged(is_set=False)


@operation(
    "Put wrong tries away", Effect.WRITE, toolset="server", in_window=True, while_paused=True, surfaces=NO_TERMINAL
)
def passphrase_see_tries(work: Work) -> TriesSeen:
    """Say that the wrong tries at the passphrase were seen; a page need not wait before the next one."""
    _note(work)
    return TriesSeen(tries=Passphrases(work.host.settings.home).see_tries(work.caller.username))


def _note(work: Work) -> None:
    """Have the change in the journal, and its disk take it, before the file is changed."""
    work.changed(Kind.USER, work.session.get_one(User, work.caller.user_id).uid, Action.UPDATED)
    work.session.flush()


OPERATIONS = (passphrase_set, passphrase_remove, passphrase_see_tries)
"""For the catalogue."""
