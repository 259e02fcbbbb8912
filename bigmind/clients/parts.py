"""What an install puts into the files of a client: data, from which every plan is made."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeAlias

Steps: TypeAlias = tuple[str, ...]
"""The keys that lead to a value in a structured file, from the outermost."""


class Format(StrEnum):
    """How a structured file is written. JSON is read with comments and trailing commas wherever it stands."""

    JSON = "json"
    TOML = "toml"
    YAML = "yaml"


@dataclass(frozen=True, slots=True)
class Entry:
    """A value at a place of a structured file, wholly ours: a server entry.

    Attributes:
        file: the whole path of the file.
        format: how it is written.
        steps: the place; what leads there is made when it is missing.
        value: plain data.
        secret: the token within the value; empty when there is none. The file is made private then, and what is
            shown of it has the token covered.
    """

    file: Path
    format: Format
    steps: Steps
    value: Any
    secret: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """An element of a list in a structured file: a hook among those of others.

    Attributes:
        file: the whole path of the file.
        format: how it is written.
        steps: the place of the list; it is made when it is missing.
        value: plain data.
        mark: a text that stands in ours and in nobody else's, anywhere within the value: how it is found again.
    """

    file: Path
    format: Format
    steps: Steps
    value: Any
    mark: str


@dataclass(frozen=True, slots=True)
class Block:
    """Our words between two markers in a text file that may hold the person's own."""

    file: Path
    text: str


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A file that is wholly ours, in a folder that a client reads whole."""

    file: Path
    text: str


Part: TypeAlias = Entry | Item | Block | OwnFile
