"""The input of an operation, checked and converted; a fault names each field."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from bigmind.core.errors import BigMindError, Code, FieldProblem, shown
from bigmind.core.events import stored_name
from bigmind.core.operation import Operation
from bigmind.core.plain_text import shortened
from bigmind.operations.inputs import SECRET
from bigmind.text.phrasing import counted

LONGEST_PATH = 100
MOST_PROBLEMS = 20
_PLAIN = {"int": "a whole number", "float": "a number", "bool": "true or false"}
"""What pydantic says in the words of its parser, by the beginning of its error's type."""
_OF_PARSER = frozenset(("type", "parsing", "from_float", "parsing_size"))
"""How such a type ends."""
_SIZES = {"too_long": "at most", "too_short": "at least"}
"""How pydantic says that a list or an object has too many or too few parts."""


def validated(operation: Operation, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The input's fields, checked and converted.

    Raises:
        BigMindError: `invalid_input`, naming each field, the value that stood there and what would be right.
    """
    try:
        model = operation.input_model.model_validate(dict(arguments))
    except ValidationError as error:
        found = error.errors(include_url=False)
        problems = tuple(_problem(operation, each) for each in found[:MOST_PROBLEMS])
        hint = f"{len(found) - MOST_PROBLEMS} more fields are not right." if len(found) > MOST_PROBLEMS else ""
        raise BigMindError(Code.INVALID_INPUT, f"The input of {operation.name} is not valid.", hint, problems) from None
    return {name: getattr(model, name) for name in operation.input_model.model_fields}


def _problem(operation: Operation, detail: ErrorDetails) -> FieldProblem:
    path = shortened(".".join(str(part) for part in detail["loc"]) or "input", LONGEST_PATH)
    if detail["type"] == "missing":
        return FieldProblem(path, "nothing", "a value: the field is required")
    if detail["type"] == "extra_forbidden":
        known = ", ".join(_model_at(operation.input_model, detail["loc"]).model_fields) or "none"
        return FieldProblem(path, shown(detail["input"]), f"no such field; the fields are: {known}")
    field = operation.input_model.model_fields.get(str(detail["loc"][0])) if detail["loc"] else None
    is_secret = field is not None and field.json_schema_extra == SECRET
    found = "what is not shown" if is_secret else shown(detail["input"])
    about = f" ({field.description})" if field is not None and field.description else ""
    return FieldProblem(path, found, f"{_expected(operation.input_model, detail)}{about}")


def _model_at(model: type[BaseModel], place: Sequence[str | int]) -> type[BaseModel]:
    """The model that a place lies in: that of the input, or of one of its fields."""
    for name in place:
        field = model.model_fields.get(str(name))
        if field is not None:
            model = next(_models(field.annotation), model)
    return model


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    """The models that a type is made of: itself, or within a union or a list."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for each in get_args(annotation):
        yield from _models(each)


def _fields_of(model: type[BaseModel]) -> str:
    """The fields of a model, as they are passed, each with the few values that it may have."""
    named = ((field.alias or name, _choices(field.annotation)) for name, field in model.model_fields.items())
    return ", ".join(f"{name} ({', '.join(choices)})" if choices else name for name, choices in named)


def _choices(annotation: Any) -> list[str]:
    """The values that a field may have, where they are a list."""
    if get_origin(annotation) is Literal:
        return [str(each) for each in get_args(annotation)]
    return [choice for each in get_args(annotation) for choice in _choices(each)]


def _expected(model: type[BaseModel], detail: ErrorDetails) -> str:
    if detail["type"] in {"model_type", "model_attributes_type", "dict_type"}:
        wanted = _model_at(model, detail["loc"])
        is_known = detail["type"] != "dict_type" and wanted is not model
        return f"an object with {_fields_of(wanted)}" if is_known else "an object"
    bounds = detail.get("ctx", {})
    if bounds.get("field_type") == "Value":  # a text: pydantic speaks of its "items" once a validator has touched it
        most = bounds.get("max_length")
        least = f"at least {counted(bounds.get('min_length', 0), 'character')}"
        return least if most is None else f"at most {counted(most, 'character')}"
    if detail["type"] in _SIZES:
        limit = "max_length" if detail["type"] == "too_long" else "min_length"
        thing = "field" if bounds.get("field_type") == "Dictionary" else "item"
        return f"{_SIZES[detail['type']]} {counted(bounds.get(limit, 0), thing)}"
    kind, _, why = detail["type"].partition("_")
    if kind in _PLAIN and why in _OF_PARSER:
        return _PLAIN[kind]
    said = detail["msg"].removeprefix("Input should be ").removeprefix("Value error, ")
    called = str(detail["input"]).strip().lower().removesuffix("s")
    stored = stored_name(called)
    if kind == "literal" and stored != called and f"'{stored}'" in said:
        return f"'{stored}' for each {called} (of {said})"
    return said.replace("greater than or equal to", "at least").replace("less than or equal to", "at most")
