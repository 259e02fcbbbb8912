"""A protocol from `.bigmind/protocol.yaml`, with a published JSON Schema. Pure."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.json_schema import GenerateJsonSchema

from bigmind.core.errors import shown
from bigmind.flow.yaml_tree import YamlFault, position, read_tree
from bigmind.protocol.document.built_in import completed
from bigmind.protocol.document.document_faults import FaultList, Mark
from bigmind.protocol.document.protocol_record import ALIASES, USUAL_SECONDS, Check, Phase, Requirement
from bigmind.protocol.document.protocol_words import level_of
from bigmind.protocol.document.value_rules import (
    LONGEST_COMMAND,
    LONGEST_NAME,
    LONGEST_PATH,
    LONGEST_REQ,
    LONGEST_STEP,
    MOST_CHECKS,
    MOST_PATHS,
    MOST_ROWS,
    MOST_SECONDS,
    command_of,
    name_of,
    note_of,
    path_of,
    pattern_of,
    req_of,
    step_of,
)

SCHEMA_ID = "urn:bigmind:protocol:1"
"""The name of the published schema, `assets/protocol.schema.json`."""

PathText = Annotated[str, Field(min_length=1, max_length=LONGEST_PATH)]
PathTexts = Annotated[list[PathText], Field(max_length=MOST_PATHS)]
PhaseName = Literal[
    "MEMORY_INIT",
    "SERENA_INIT",
    "SKILL_VALIDATION",
    "CONTEXT_RETRIEVAL",
    "SESSION_LOG",
    "GIT_STATE",
    "DOCS_UPDATE",
    "QUALITY_CHECKS",
    "QA_VALIDATION",
    "GIT_COMMIT",
]
LevelName = Literal["MUST", "MUST_BY_END", "SHOULD", "MAY", "SHALL", "BLOCKING", "REQUIRED", "RECOMMENDED", "OPTIONAL"]
Place = tuple[str | int, ...]


class RequirementForm(BaseModel):
    """One line of the checklist."""

    model_config = ConfigDict(extra="forbid", defer_build=True, strict=True)

    phase: PhaseName
    step: str = Field(min_length=1, max_length=LONGEST_STEP, description="What is done.")
    level: LevelName = Field(description="MUST: at once; MUST_BY_END: before the run is complete.")
    req: str = Field(default="", max_length=LONGEST_REQ, description="An id; left out, the level.")


class CheckForm(BaseModel):
    """One command of which the exit code has to be 0."""

    model_config = ConfigDict(extra="forbid", defer_build=True, strict=True)

    name: str = Field(min_length=1, max_length=LONGEST_NAME)
    command: str = Field(min_length=1, max_length=LONGEST_COMMAND, description="Program and arguments; no shell.")
    defined_by: PathTexts = Field(default_factory=list[str], description="The files that say what it checks.")
    seconds: int = Field(default=USUAL_SECONDS, ge=1, le=MOST_SECONDS, description="After which it is ended.")


class ProtocolForm(BaseModel):
    """A protocol document. Paths are relative to the workspace, and stay inside it."""

    model_config = ConfigDict(extra="forbid", defer_build=True, strict=True)

    format: Literal["bigmind-protocol"]
    checklist: list[RequirementForm] = Field(
        default_factory=list[RequirementForm],
        max_length=MOST_ROWS,
        description="A phase of which nothing stands here keeps the built-in requirements.",
    )
    handoff: PathText | None = Field(default=None, description="The handoff document.")
    logs: PathText | None = Field(default=None, description="The folder of session logs.")
    template: PathText | None = Field(default=None, description="Of a session log; left out, the built-in one.")
    reports: PathText | None = Field(default=None, description="The folder of QA reports.")
    skills: PathText | None = Field(default=None, description="The folder of skill notes.")
    mandatory: PathTexts | None = Field(default=None, description="Notes in it that every session reads.")
    docs: PathTexts | None = Field(default=None, description="Patterns of files that count as docs.")
    checks: list[CheckForm] = Field(default_factory=list[CheckForm], max_length=MOST_CHECKS)


def schema() -> dict[str, Any]:
    """The published JSON Schema (2020-12) of a protocol document."""
    return {"$schema": GenerateJsonSchema.schema_dialect, "$id": SCHEMA_ID, **ProtocolForm.model_json_schema()}


def form_fields(text: str, faults: FaultList) -> dict[str, Any]:
    """The attributes of a protocol that a document says; `checklist` always.

    Args:
        text: YAML.
        faults: what is wrong is noted there.
    """
    try:
        tree = read_tree(text, "a protocol document")
    except YamlFault as fault:
        faults.add(Mark(fault.line or 1, fault.column or 1), str(fault))
        return {}
    try:
        form = ProtocolForm.model_validate(tree)
    except ValidationError as error:
        for each in error.errors():
            place = tuple(part for part in each["loc"] if part != "[key]")
            of_value = each["type"] not in {"extra_forbidden", "missing"}
            told = f"{_called(place)}: {each['msg'][:1].lower()}{each['msg'][1:]}"
            faults.add(_mark(tree, place, of_value=of_value), told)
        return {}
    return _Reading(tree, faults).fields(form)


class _Reading:
    """A document of the right shape, whose values are read by the rules."""

    def __init__(self, tree: Any, faults: FaultList) -> None:
        self._tree = tree
        self._faults = faults

    def fields(self, form: ProtocolForm) -> dict[str, Any]:
        """The attributes that it says."""
        ones = ("handoff", "logs", "template", "reports", "skills")
        found: dict[str, Any] = {
            name: self._read(path_of, value, (name,)) for name in ones if (value := getattr(form, name)) is not None
        }
        if form.mandatory is not None:
            found["mandatory"] = self._several(note_of, form.mandatory, ("mandatory",))
        if form.docs is not None:
            found["docs"] = self._several(pattern_of, form.docs, ("docs",))
        rows = [self._requirement(each, ("checklist", number)) for number, each in enumerate(form.checklist)]
        return {**found, "checklist": completed(rows), "checks": self._checks(form.checks)}

    def _requirement(self, form: RequirementForm, place: Place) -> Requirement:
        word = level_of(form.level)
        assert word is not None  # noqa: S101 - the form has no other words
        phase = ALIASES.get(form.phase) or Phase(form.phase)
        step = self._read(step_of, form.step, (*place, "step"))
        req = self._read(req_of, form.req, (*place, "req")) or form.level.partition("_")[0]
        return Requirement(req, phase, step, word.level)

    def _checks(self, forms: Sequence[CheckForm]) -> tuple[Check, ...]:
        found: dict[str, Check] = {}
        for number, form in enumerate(forms):
            place: Place = ("checks", number)
            name = self._read(name_of, form.name, (*place, "name"))
            if name in found:
                told = f"{shown(name)} stands there twice: give each check a name of its own"
                self._faults.add(_mark(self._tree, (*place, "name")), told)
            command = self._faults.taken(command_of, form.command, _mark(self._tree, (*place, "command")), ())
            defined_by = self._several(path_of, form.defined_by, (*place, "defined_by"))
            found[name] = Check(name, command, defined_by, form.seconds)
        return tuple(found.values())

    def _several(self, read: Callable[[str], str], values: Sequence[str], place: Place) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._read(read, each, (*place, number)) for number, each in enumerate(values)))

    def _read(self, read: Callable[[str], str], value: str, place: Place) -> str:
        return self._faults.taken(read, value, _mark(self._tree, place), "")


def _mark(tree: Any, place: Place, *, of_value: bool = True) -> Mark:
    return Mark(*position(tree, place, of_value=of_value))


def _called(place: Sequence[str | int]) -> str:
    told = "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in place)
    return told.lstrip(".") or "the document"
