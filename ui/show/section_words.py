"""How people call many of something: by the sections of an export, and the plurals of kinds, as they are declared."""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from bigmind import registry
from bigmind.core.kind import Words
from bigmind.core.lazy_module import LazyModule
from ui.show.date_format import plural

if TYPE_CHECKING:
    from bigmind.portable.format import kind_records
else:
    kind_records = LazyModule("bigmind.portable.format.kind_records")


def title(section: str) -> str:
    """The name of a section or kind where it stands by itself."""
    many = _words(section).many
    return many[:1].upper() + many[1:]


def counted(counts: Mapping[str, int | None]) -> str:
    """How many of which, as a part of a sentence; what is not there, or not known, is not named."""
    told = [plural(count, *_words(section)) for section, count in counts.items() if count]
    return " and ".join(filter(None, (", ".join(told[:-1]), *told[-1:])))


def _words(section: str) -> Words:
    name = section.replace("_", " ")
    return _of_all().get(section, Words(name, name))


@cache
def _of_all() -> Mapping[str, Words]:
    return {each.plural: each.words for each in registry.KINDS} | kind_records.section_words(registry.KINDS)
