"""The numbers of work, each with what it is for. Pure."""

import re
import unicodedata
from collections.abc import Collection
from datetime import timedelta

from bigmind.caution.detect import cautions
from bigmind.core.kind import GuideSection
from bigmind.settings.parsers import LEASE_MINUTES
from bigmind.text.lazy_pattern import lazy_pattern

LEASE = timedelta(minutes=LEASE_MINUTES)
"""How long a claim lasts without a call of its holder, unless a setting says otherwise."""
QUESTION_COUNTS = timedelta(hours=1)
"""How long a question about an item lets its asker in (work.md, "Memory gates are real")."""

LONGEST_SLUG = 80
LONGEST_OF_TITLE = 120
"""Bytes of a title that its slug keeps: in an address each of them takes three characters."""
LONGEST_TITLE = 200
LONGEST_DESCRIPTION = 10_000
LONGEST_FIELD = 20_000
"""Characters of one field of an item's DNA, as JSON."""
LONGEST_DNA = 100_000
"""Characters of all of them."""
MOST_FIELDS = 60
MOST_DEPENDENCIES = 1_000
LONGEST_REASON = 1_000
MEMORY_FIELDS = ("memory_query_session", "memory_contribution_id")
"""Fields of the DNA that name what the memory gates rest on."""

SPOILT = {
    "keyword_echo": "it says your own question again: say what you found out",
    "near_duplicate": "",
    "naked_statement": "it has no number, name, date, path or reason: say one, such as why",
    "orphaned_reference": "it points elsewhere: say what stands there",
}
"""Flags with which a thought opens no gate, and what is wrong with its text, where the remedy does not say it."""


def spoilt_by(flags: Collection[str]) -> str:
    """Why a thought with these flags opens no gate; empty where they hinder nothing."""
    found = sorted(SPOILT.keys() & flags)
    told = (f"{each} ({SPOILT[each]})" if SPOILT[each] else each for each in found)
    return f"it is flagged {', '.join(told)}" if found else ""


GRANTED = frozenset(
    """
    state role revision holder held_by claimed claimed_by claimed_at claimed_from claimed_after lease lease_until
    human_confirmed confirmed confirmed_by confirmed_at self_reviewed worked_by worked_as entered_at entered_after
    created_at updated_at completed_at is_imported other_agent memory_queried memory_contributed dependencies_complete
    """.split()  # noqa: SIM905 - in quotes each, the words could not be read
)
"""Names of what the engine grants: no field of a DNA is called so, for it would read as if that were granted."""

FIELD_NAME = re.compile(r"[a-z][a-z0-9_]{0,59}")
_OWN = "\u0590-\u109f\u10d0-\u10ff\u1780-\u17b3\u17b6-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
"""Scripts whose letters a slug keeps: Hebrew to Georgian, Khmer, kana, Han, Hangul; none looks like a Latin one.

Of Georgian the small ones; of Khmer not the two vowels that nobody sees."""
_SLUG = lazy_pattern(rf"[a-z0-9{_OWN}][a-z0-9._{_OWN}-]{{0,79}}")
SLUG_WORDS = "small letters, digits, - . and _, at most 80"

GUIDE = (
    GuideSection(
        "work_transition",
        "How a task is worked on",
        (
            "- work_next names the best task for your role; work_get_task shows one whole, with what each move needs.",
            "- Before you claim one, ask about it with query_brain.",
            "- Before you hand it over, contribute_to_brain what you learned.",
            "- A question or a contribution opens one gate of one item, once.",
            "- What you find goes into its DNA with work_update_dna; a null takes a field out.",
            "- A refusal of work_transition names all that is missing, and the call that mends each of it.",
            "- Who is not heard of for the length of a lease may lose the task to another agent.",
            "- What a person confirms waits on their page: leave the item as it is until then.",
        ),
    ),
    GuideSection(
        "mindspace_book_transition",
        "How a node is worked on",
        (
            "- mindspace_get_ready_nodes lists the nodes of your station: what each takes, gives, and who judges it.",
            "- Ask about one with query_brain, then claim it: mindspace_book_transition to active.",
            "- Give what it declares with mindspace_submit_output; contribute_to_brain; then book its review.",
            "- Judge with mindspace_record_gate what another produced, never what you did yourself.",
        ),
    ),
)
"""What the guide says of tasks and nodes."""


CYRILLIC = (
    "а a б b в v г g д d е e ж zh з z и i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch"
    " ъ - ы y ь - э e ю yu я ya і i є ye ґ g ђ dj ј j љ lj њ nj ћ c џ dz"
)
GREEK = "α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o"
OTHER_LATIN = "æ ae œ oe ß ss ø o ł l đ d ð d þ th ı i"
_pairs = f"{CYRILLIC} {GREEK} {OTHER_LATIN}".split()
LATIN = str.maketrans({each: told.strip("-") for each, told in zip(_pairs[::2], _pairs[1::2], strict=True)})
"""How letters that Unicode does not take apart are written in the Latin ones that a slug may have; `-` is none."""


def slug_of(title: str) -> str:
    """A slug made of a title: Latin letters without accents, Cyrillic and Greek ones in Latin, others as they are.

    Empty where nothing of it may stand in one: slugs are told where titles are left out.
    """
    kept = "".join(map(_in_slug, unicodedata.normalize("NFKC", title).lower()))
    plain = re.sub(r"[ -]+", "-", kept).strip("-")
    within = plain[:60].encode()[:LONGEST_OF_TITLE].decode(errors="ignore")
    return "" if cautions(title) or instructs(plain) else within.strip("-")


def is_slug(text: str) -> bool:
    """Whether a slug may be called so: of other scripts it has letters, marks and digits, in one way of writing."""
    if not _SLUG.fullmatch(text):
        return False
    return text.isascii() or (unicodedata.is_normalized("NFC", text) and all(map(_is_in_slug, text)))


def _in_slug(letter: str) -> str:
    """What stands for a letter of a title; a blank for what cannot stand in a slug."""
    if _SLUG.fullmatch(letter) and _is_in_slug(letter):
        return letter
    bare = unicodedata.normalize("NFKD", letter).translate(LATIN)
    return "".join(
        each if each.isascii() and each.isalnum() else " " for each in bare if not unicodedata.combining(each)
    )


def _is_in_slug(character: str) -> bool:
    """Whether it is a letter, a mark on one, or a digit; of ASCII any that `_SLUG` lets stand."""
    return character.isascii() or unicodedata.category(character)[0] in "LMN"


def instructs(slug: str) -> bool:
    """Whether a slug reads like an instruction to whoever is told it."""
    return bool(cautions(re.sub(r"[-._]+", " ", slug)))
