"""The input of an operation, checked and converted; a fault names each field."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from bigmind.core.errors import BigMindError, Code, FieldProblem, shown
from bigmind.core.operation import Operation
from bigmind.core.plain_text import shortened
from bigmind.operations.inputs import SECRET

LONGEST_PATH = 100
MOST_PROBLEMS = 20


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
    return FieldProblem(path, found, f"{_expected(detail)}{about}")


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


def _expected(detail: ErrorDetails) -> str:
    bounds = detail.get("ctx", {})
    if bounds.get("field_type") == "Value":  # a text: pydantic speaks of its "items" once a validator has touched it
        most = bounds.get("max_length")
        return f"at most {most} characters" if most is not None else f"at least {bounds['min_length']} character(s)"
    said = detail["msg"].removeprefix("Input should be ").removeprefix("Value error, ")
    return said.replace("greater than or equal to", "at least").replace("less than or equal to", "at most")
