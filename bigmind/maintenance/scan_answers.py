"""What the search for stored secrets answers."""

from pydantic import Field

from bigmind.core.ids import short
from bigmind.operations.catalogue import Answer
from bigmind.secrets.libraries import knows_all_forms
from bigmind.text.phrasing import bullets, counted

NOTHING = "Nothing that looks like a secret was found."
LOOKED_FOR = (
    "Looked for tokens of known forms, private keys, and values that a word such as “password” gives away; "
    "a secret in other words is not found."
)
FEWER_FORMS = "Fewer forms are known here: betterleaks has no build for this Python or system (SECURITY.md)."


class FoundSecret(Answer):
    """A place where something looks like a secret; never the secret itself."""

    kind: str = Field(description="Of the thing: session, chunk, fact, hypothesis, knowledge, profile.")
    id: str
    field: str
    secrets: list[str] = Field(description="The kinds of secrets in it.")

    def as_text(self) -> str:
        return f"{self.kind} {short(self.id)}, {self.field}: {', '.join(self.secrets)}"


class SecretScan(Answer):
    """What was found in all the texts of a user."""

    items: list[FoundSecret] = Field(description="At most 1,000 of them.")
    total: int
    by_kind: dict[str, int] = Field(description="In how many places each kind of secret was found.")
    is_replaced: bool
    is_overwritten: bool = Field(description="Whether no byte of what was replaced is left in the database's files.")

    def as_text(self) -> str:
        if not self.total:
            return f"{NOTHING} {LOOKED_FOR}" if knows_all_forms() else f"{NOTHING} {LOOKED_FOR} {FEWER_FORMS}"
        kinds = ", ".join(f"{kind} ({count})" for kind, count in self.by_kind.items())
        shown = bullets([each.as_text() for each in self.items])
        more = f"\n\n{counted(self.total - len(self.items), 'more place')}." if self.total > len(self.items) else ""
        return f"Secrets in {counted(self.total, 'place')}: {kinds}.\n\n{shown}{more}\n\n{self._what_next()}"

    def _what_next(self) -> str:
        if not self.is_replaced:
            return (
                "Nothing was changed. `bigmind secrets scan --mask` replaces them in place. "
                "Revoke each of them in any case: whoever read the memory has read them."
            )
        left = "" if self.is_overwritten else " Their bytes are overwritten when the disk has room and nobody reads."
        return (
            f"They are replaced.{left} Backups that were made before still hold them. "
            "Revoke each of them: whoever read the memory has read them."
        )
