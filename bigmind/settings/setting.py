"""What a setting is: a row that says where it is set, what it means, and how a person is asked for it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Generic, TypeVar, overload

from bigmind.settings.file import as_text, settings_file

T = TypeVar("T")


class Applies(StrEnum):
    """When a change of a setting takes effect."""

    AT_ONCE = "at once"
    RESTART = "after a restart"


class Origin(StrEnum):
    """Where a value comes from."""

    ENVIRONMENT = "environment"
    FILE = "file"
    DEFAULT = "default"


class Control(StrEnum):
    """What a person sets it with on the Settings page."""

    TEXT = "text"
    NUMBER = "number"
    CHOICE = "choice"
    SEGMENTS = "segments"
    """A choice that holds as soon as it is made."""
    SWITCH = "switch"
    """On or off, as soon as it is switched."""


@dataclass(frozen=True, slots=True)
class FormField:
    """How the Settings page asks for a setting.

    Attributes:
        section: of the page; the settings of one section are saved together.
        label: its name, for people.
        control: what it is set with.
        hint: what to know before setting it.
        placeholder: what holds while nothing is set; `{user}` and `{backups}` become those of the memory.
        choices: that there are.
        most: the largest number, or the longest text.
    """

    section: str
    label: str
    control: Control = Control.TEXT
    hint: str = ""
    placeholder: str = ""
    choices: tuple[str, ...] = ()
    most: int = 1_000


@dataclass(frozen=True, slots=True)
class SettingValue:
    """A setting as it was given: its text, where, and the value."""

    text: str
    origin: Origin
    value: Any

    @property
    def in_words(self) -> str:
        """What holds, as the file would say it; empty for what has no words."""
        return as_text(self.value) or ""


class GivenSettings:
    """Settings as they were given to a process: each is read as an attribute.

    Attributes:
        home: the data folder.
        store: the database's file; None is one in the data folder.
    """

    __slots__ = ("_given", "home", "store")

    def __init__(self, home: Path, given: "Mapping[str, SettingValue]", store: Path | None = None) -> None:
        """Those of `home`, with what was given for every row by its name."""
        self.home = home
        self.store = store
        self._given = given

    def given(self, name: str) -> SettingValue:
        """One of them, with its text and where that comes from."""
        return self._given[name]

    def set_by(self, setting: "Setting[Any]") -> str:
        """Where a person sets it, in words."""
        if self._given[setting.name].origin is Origin.FILE:
            return f"{setting.name} in {settings_file(self.home)}"
        return setting.variable


@dataclass(eq=False, slots=True)
class Setting(Generic[T]):
    """One setting: all that files, environment, operation, page and help know of it.

    Attributes:
        variable: in the environment; empty where it is not one.
        default: in words.
        meaning: what it does.
        check: takes how it is called where it was given, and its text, which may be empty; the value, or an error.
        applies: when a change takes effect.
        form: how a person is asked for it; None where no form and no `settings change` sets it.
        name: in the file, as it is called in `Settings`; empty where it cannot stand there.
    """

    variable: str
    default: str
    meaning: str
    check: Callable[[str, str], T]
    applies: Applies = Applies.RESTART
    form: FormField | None = None
    name: str = field(default="", init=False)

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: GivenSettings, owner: type) -> T: ...
    @overload
    def __get__(self, instance: object, owner: type) -> "Setting[T]": ...
    def __get__(self, instance: object, owner: type) -> "Setting[T] | T":
        return instance.given(self.name).value if isinstance(instance, GivenSettings) else self

    @property
    def is_number(self) -> bool:
        """Whether it stands in the file without quotes."""
        return self.form is not None and self.form.control is Control.NUMBER
