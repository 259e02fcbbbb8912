"""The catalogue: what BigMind offers, declared once as typed functions; MCP, API, CLI and docs are loops over it."""

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Self, TypeVar, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model

from bigmind.core.operation import ALL_SURFACES, FOR_PEOPLE, Effect, Mode, Offer, Operation, Role, Surface
from bigmind.core.shapes import as_object, is_list, is_object
from bigmind.operations.inputs import LeastUnsaid, ProjectName, ShapeInWords
from bigmind.text.phrasing import counted

_Mark = TypeVar("_Mark", ProjectName, ShapeInWords)
LONGEST_NAME = 80
"""Characters of what an assistant copies from an answer (an id, a state, a station); what it words itself is longer."""


class Input(BaseModel):
    """The base of every operation's input: an unknown field is an error, because a misspelt one would be lost."""

    model_config = ConfigDict(extra="forbid", defer_build=True)  # built at first use: no start needs them all


class Part(BaseModel):
    """The base of what an answer holds, such as a row of its list."""

    model_config = ConfigDict(defer_build=True)


BESIDE_MEMORY = frozenset({"backup", "clients", "people", "server"})
"""The toolsets of what is not in the memory: backups, files of clients, tokens, settings and the server itself."""

FOUND = "found"
"""The parameter by which a function is handed what it found out first (`Operation.looks`)."""


def _is_empty(value: list[str]) -> bool:
    return not value


def _is_nothing(value: int) -> bool:
    return value == 0


class Answer(BaseModel):
    """The base of every operation's answer: data for programs, and the same as text for a model or a person.

    `shown_once` marks an answer that holds a secret: it is never kept, so a retry cannot be given it again.
    `can_refuse` marks one that may say that nothing was done, with data that no error holds; OpenAPI says so.
    """

    model_config = ConfigDict(extra="forbid", defer_build=True)  # built at first use: no start needs them all
    shown_once: ClassVar[bool] = False
    can_refuse: ClassVar[bool] = False

    masked: list[str] = Field(
        default_factory=list[str],
        exclude_if=_is_empty,
        description="Kinds of secrets that were found in the input and masked before it was stored.",
    )
    left_out: int = Field(
        default=0,
        exclude_if=_is_nothing,
        description="How many characters of the input no text can hold (NUL): they were left out.",
    )

    @property
    def is_refusal(self) -> bool:
        """Whether what was asked for was not done: each surface tells it as it tells a fault, and no retry is given it.

        What would be refused now may pass once it was mended, and under the same idempotency key.
        """
        return False

    @property
    def drawn_from(self) -> int:
        """Characters of the stored entries that it draws from, whole; 0 where it draws from none."""
        return 0

    def as_text(self) -> str:
        """Markdown; says all that the data says that a reader needs, and names no tool."""
        raise NotImplementedError(type(self).__name__)

    def hints(self, offer: Offer) -> Sequence[str]:
        """What to call next, a sentence each, of the tools that the reader is offered."""
        del offer
        return ()

    def worded(self, hint: Callable[[str], str]) -> Self:
        """The same, with the sentences of ours among its data that name operations as a surface words its hints."""
        del hint
        return self

    def in_words(self, offer: Offer = None, hint: Callable[[str], str] = str) -> str:
        """`as_text`, what to call next, and what was changed: what a surface shows, which may word hints its way."""
        masked = f"Masked before storing: {', '.join(self.masked)}. Keep secrets elsewhere." if self.masked else ""
        shorter = (
            f"Left out: {counted(self.left_out, 'character')} that no text can hold (NUL)." if self.left_out else ""
        )
        text = (self if hint is str else self.worded(hint)).as_text()
        return "\n\n".join(filter(None, (text, *map(hint, self.hints(offer)), masked, shorter)))


def operation(
    title: str,
    effect: Effect,
    *,
    permission: Role = Role.MEMBER,
    toolset: str = "memory",
    idempotent: bool = False,
    people_only: bool = False,
    in_person: bool = False,
    in_window: bool = False,
    in_team: bool = False,
    takes_access: bool = False,
    while_paused: bool = False,
    mends: bool = False,
    beside_memory: bool = False,
    masks: bool = True,
    looks: Callable[..., Any] | None = None,
    gathers: Callable[[Any], Any] | None = None,
    rests_on_brain: bool = False,
    is_harmless: bool = False,
    surfaces: frozenset[Surface] = ALL_SURFACES,
    inputs: Mapping[str, Any] | None = None,
) -> Callable[[Callable[..., Answer]], Operation]:
    """Declare the decorated function an operation.

    The function takes the unit of work first (an `Access` with `takes_access`), then one keyword per input field,
    annotated with the field's type and bounds. `inputs` are more fields, by name, of what is declared elsewhere: each
    may be left out, and is then None in the function's `**given`. Its docstring is what a model reads on every call.
    `in_team` makes it a tool on a team's server, beside its `surfaces`.
    With `looks`, a function of the same inputs runs before, and its answer is the last parameter, `found`; with
    `gathers`, what that function makes of it.
    """

    def declare(function: Callable[..., Answer]) -> Operation:
        hints = get_type_hints(function, include_extras=True)
        return Operation(
            name=function.__name__,
            title=title,
            description=inspect.cleandoc(function.__doc__ or ""),
            effect=effect,
            function=function,
            input_model=_input_model(function, hints, inputs or {}, without={FOUND} if looks else set()),
            output_model=hints["return"],
            toolset=toolset,
            permission=permission,
            people_only=people_only or in_person or in_window,
            in_person=in_person or in_window,
            in_window=in_window,
            in_team=in_team,
            takes_access=takes_access,
            while_paused=while_paused or effect is Effect.READ,
            mends=mends,
            beside_memory=beside_memory or toolset in BESIDE_MEMORY,
            projects=_projects(hints),
            masks=masks and effect is not Effect.READ,
            looks=looks,
            gathers=gathers,
            rests_on_brain=rests_on_brain,
            is_harmless=is_harmless,
            idempotent=idempotent or effect is Effect.READ,
            surfaces=surfaces,
        )

    return declare


for_people = partial(operation, people_only=True, surfaces=FOR_PEOPLE)
"""`@operation` for what no assistant may do: commands and the API offer it, and an agent's token is refused."""


def _projects(hints: dict[str, Any]) -> dict[str, str | None]:
    """The inputs that are marked as the name of a project, and what `*` becomes in each."""
    marks = {name: _mark(hint, ProjectName) for name, hint in hints.items()}
    return {name: mark.every for name, mark in marks.items() if mark is not None}


def _mark(hint: Any, kind: type[_Mark]) -> _Mark | None:
    if isinstance(hint, kind):
        return hint
    return next((mark for each in get_args(hint) if (mark := _mark(each, kind)) is not None), None)


def _input_model(
    function: Callable[..., Any], hints: dict[str, Any], inputs: Mapping[str, Any], without: Collection[str]
) -> type[Input]:
    parameters = list(inspect.signature(function).parameters.values())[1:]
    fields: dict[str, Any] = {
        each.name: (hints[each.name], ... if each.default is inspect.Parameter.empty else each.default)
        for each in parameters
        if each.kind is not inspect.Parameter.VAR_KEYWORD and each.name not in without
    }
    fields |= {name: (hint, None) for name, hint in inputs.items()}
    name = "".join(word.capitalize() for word in function.__name__.split("_"))
    return create_model(name, __base__=Input, **fields)


class Catalogue:
    """All operations, by name, in the order they are declared."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        self._by_name: dict[str, Operation] = {}
        for each in operations:
            if each.name in self._by_name:
                raise ValueError(f"two operations are called {each.name}")
            self._by_name[each.name] = each

    def __iter__(self) -> Iterator[Operation]:
        return iter(self._by_name.values())

    def get(self, name: str) -> Operation | None:
        """The operation of that name, if there is one."""
        return self._by_name.get(name)

    def on(self, surface: Surface) -> list[Operation]:
        """What one surface offers."""
        return [each for each in self if surface in each.surfaces]

    def tools(self, mode: Mode) -> list[Operation]:
        """What assistants can be offered on a server of that mode."""
        is_team = mode is Mode.TEAM
        return [each for each in self if Surface.MCP in each.surfaces or (is_team and each.in_team)]


def input_schema(operation: Operation) -> dict[str, Any]:
    """The JSON Schema (2020-12) of an operation's input, without what only costs a model tokens."""
    schema: dict[str, Any] = operation.input_model.model_json_schema()
    parts = as_object(schema.pop("$defs", {}))
    plain: dict[str, Any] = _without_noise(_inlined(schema, parts))
    fields = operation.input_model.model_fields
    for name in [name for name, told in plain["properties"].items() if "properties" in told]:
        if (shape := _mark(fields[name].annotation, ShapeInWords)) is not None:
            told = {"description": shape.words, "maxProperties": shape.most_parts, "type": "object"}
            plain["properties"][name] = told
    for name in schema.get("required", ()):
        told = as_object(schema["properties"][name])
        is_worded = told.get("maxLength", 0) > LONGEST_NAME and LeastUnsaid() not in fields[name].metadata
        if is_worded and "minLength" in told:
            plain["properties"][name]["minLength"] = told["minLength"]
    return plain


def _inlined(node: Any, parts: Mapping[str, Any]) -> Any:
    """With each part in its place, for clients that follow no reference; without what its class says of itself."""
    if is_list(node):
        return [_inlined(each, parts) for each in node]
    if not is_object(node):
        return node
    own = {key: _inlined(value, parts) for key, value in node.items() if key != "$ref"}
    reference = str(node.get("$ref", ""))
    if not reference:
        return own
    part = as_object(_inlined(parts[reference.rpartition("/")[2]], parts))
    return {**{key: value for key, value in part.items() if key != "description"}, **own}


def _is_noise(key: str, value: Any) -> bool:
    """Whether a keyword only costs tokens: a generated title, a default that is nothing, a least length.

    Nobody leaves empty what is copied or may be left out, and a refusal says how long a text has to be.
    """
    is_nothing = value is None or value is False or value == ""
    is_absent = (key == "default" and is_nothing) or (key == "additionalProperties" and value is True)
    return is_absent or key == "minLength" or (key == "title" and isinstance(value, str))


def _without_noise(node: Any) -> Any:
    """Drop what only costs tokens, and the null branch of optional fields: absent means the same."""
    if is_list(node):
        return [_without_noise(each) for each in node]
    if not is_object(node):
        return node
    plain: dict[str, Any] = {}
    for key, value in node.items():
        if key == "properties":
            plain[key] = {name: _without_noise(each) for name, each in as_object(value).items()}
        elif not _is_noise(key, value):
            plain[key] = _without_noise(value)
    branches = plain.get("anyOf")
    solid = [each for each in branches if each != {"type": "null"}] if is_list(branches) else []
    if len(solid) == 1:
        del plain["anyOf"]
        plain = {**as_object(solid[0]), **plain}
    return plain
