"""What is answered of a profile: data for programs, and the same in words."""

from collections.abc import Sequence
from datetime import datetime

from pydantic import Field

from bigmind.core.ids import short
from bigmind.core.operation import Offer, offered_only
from bigmind.core.plain_text import quoted
from bigmind.memory.answers import CAUTION
from bigmind.operations.catalogue import Answer, Part
from bigmind.text.phrasing import bullets, plain, profile_kept_out, warning

FILL = "memory_update_profile fills it."
PIN_AGAIN = "Unless the user asked for that, pin them again: memory_update_profile with the whole list in pinned_facts."
PREFER_AGAIN = "Unless the user took them back, call memory_update_profile with these and the new ones in preferences."


class UnpinnedFact(Part):
    """What is no longer pinned, or preferred, and the fact that keeps its words."""

    fact: str
    fact_id: str
    caution: str = Field(default="", description=CAUTION)

    def as_text(self) -> str:
        """It, as an item of a list."""
        return f"{warning(self.caution)}{plain(self.fact)} (fact {short(self.fact_id)})"


STILL_SAID = "If these facts no longer hold either, call memory_deprecate_fact for each of them."


class ProfileAnswer(Answer):
    """Tier 0: who the user is."""

    role: str
    preferences: str
    pinned_facts: list[str]
    updated_at: datetime | None
    caution: str = Field(default="", description=CAUTION)
    withheld: list[str] = Field(
        default_factory=list[str], description="What of it assistants are not told unasked until a person accepts it."
    )
    unpinned: list[UnpinnedFact] = Field(
        default_factory=list[UnpinnedFact],
        description="What this update unpinned; facts keep its words.",
    )
    replaced: UnpinnedFact | None = Field(
        default=None, description="What this update took out of the preferences; a fact keeps its words."
    )

    still_said: list[UnpinnedFact] = Field(
        default_factory=list[UnpinnedFact],
        description="Facts that hold, and say about what this update took out of the profile.",
    )

    def as_text(self) -> str:
        if self.updated_at is None:
            return "The profile is empty."
        preferences = f"**Preferences:**\n{quoted(self.preferences)}" if self.preferences else "**Preferences:** —"
        parts = [f"**Role:** {plain(self.role) or '—'}", preferences]
        if self.pinned_facts:
            parts.append("**Pinned facts:**\n" + bullets(self.pinned_facts))
        if self.unpinned:
            lost = bullets([each.as_text() for each in self.unpinned])
            parts.append(f"**No longer pinned**, the words kept as facts:\n{lost}")
        if self.replaced:
            parts.append(f"**No longer among the preferences**, the words kept as a fact:\n- {self.replaced.as_text()}")
        if self.still_said:
            said = bullets([each.as_text() for each in self.still_said])
            parts.append(f"**Still said by stored facts**, which assistants are told:\n{said}")
        if self.caution:
            parts.append(profile_kept_out(self.caution, self.withheld))
        return "\n\n".join(parts)

    def hints(self, offer: Offer) -> Sequence[str]:
        """How to fill it, while it is empty; how to take back what an update left out."""
        left_out = {PIN_AGAIN: self.unpinned, PREFER_AGAIN: self.replaced, STILL_SAID: self.still_said}
        said = [FILL] if self.updated_at is None else [hint for hint, some in left_out.items() if some]
        return offered_only(offer, said)
