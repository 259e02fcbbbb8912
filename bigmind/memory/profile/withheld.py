"""What of a profile assistants are told unasked, and what of it waits for a person.

A profile is one row with one caution, and an update writes any part of it. So the parts are judged one by one where the
row waits: one poisoned update holds back what it wrote, and not who its person is.
"""

from dataclasses import dataclass, field
from datetime import datetime

from bigmind.caution.detect import cautions, pending
from bigmind.memory.tables import Profile
from bigmind.text.import_marks import is_imported
from bigmind.text.phrasing import counted


@dataclass(frozen=True, slots=True)
class ToldProfile:
    """A profile without what waits for a person.

    Attributes:
        role, preferences, pinned_facts: empty where they are held back.
        updated_at: when any of it was written last.
        withheld: what is held back, in words that stand in a sentence; none where nothing is.
    """

    updated_at: datetime
    role: str = ""
    preferences: str = ""
    pinned_facts: list[str] = field(default_factory=list[str])
    withheld: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing of it is told."""
        return not (self.role or self.preferences or self.pinned_facts)


def told_part(profile: Profile) -> ToldProfile:
    """What of a profile is told unasked: all of it, unless it waits; then what instructs nobody.

    All of it is held back where an assistant imported it, and where its parts do not account for its caution: it was
    flagged by rules that have changed since, and no person has seen it.
    """
    caution, at = pending(profile), profile.updated_at
    if not caution:
        return ToldProfile(at, profile.role, profile.preferences, profile.pinned_facts)
    found = {text: cautions(text) for text in (profile.role, profile.preferences, *profile.pinned_facts)}
    names = {name for each in found.values() for name in each.split(",")}
    if is_imported(caution) or not names.issuperset(caution.split(",")):
        return ToldProfile(at, withheld=("the profile",))
    role, preferences = ("" if found[text] else text for text in (profile.role, profile.preferences))
    pinned = [text for text in profile.pinned_facts if not found[text]]
    missing = len(profile.pinned_facts) - len(pinned)
    withheld = (
        "the role" if role != profile.role else "",
        "the preferences" if preferences != profile.preferences else "",
        counted(missing, "pinned fact") if missing else "",
    )
    return ToldProfile(at, role, preferences, pinned, tuple(filter(None, withheld)))
