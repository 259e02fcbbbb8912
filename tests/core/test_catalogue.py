"""Operations are declared once, and the schema that clients see follows from the function."""

import pytest
from jsonschema import Draft202012Validator

from bigmind.core.operation import ALL_SURFACES, Effect, Role, Surface
from bigmind.operations.catalogue import Answer, Catalogue, input_schema, operation
from bigmind.operations.inputs import Line
from bigmind.store.work import Work
from bigmind.wiring import catalogue


class Said(Answer):
    """What was said."""

    title: str
    default: int | None

    def as_text(self) -> str:
        return self.title


@operation("Say it", Effect.READ)
def say_it(_work: Work, title: Line, default: int | None = None, loud: bool = False) -> Said:
    """Call this to
    hear it."""
    return Said(title=title if not loud else title.upper(), default=default)


@operation("Undo it", Effect.DESTRUCTIVE, permission=Role.ADMIN, surfaces=frozenset({Surface.CLI}), people_only=True)
def undo_it(_work: Work) -> Said:
    """Call this never."""
    raise NotImplementedError


def test_an_operation_is_what_its_function_says():
    assert (say_it.name, say_it.title, say_it.effect) == ("say_it", "Say it", Effect.READ)
    assert say_it.description == "Call this to\nhear it."
    assert say_it.output_model is Said
    assert say_it.surfaces == ALL_SURFACES
    assert say_it.idempotent
    assert not undo_it.idempotent
    assert (undo_it.permission, undo_it.people_only) == (Role.ADMIN, True)


def test_the_schema_holds_what_a_caller_needs_and_nothing_else():
    assert input_schema(say_it) == {
        "additionalProperties": False,
        "properties": {
            "title": {"type": "string"},
            "default": {"type": "integer"},
            "loud": {"type": "boolean"},
        },
        "required": ["title"],
        "type": "object",
    }
    assert input_schema(undo_it) == {"additionalProperties": False, "properties": {}, "type": "object"}


def test_a_catalogue_keeps_its_order_and_knows_its_surfaces():
    both = Catalogue((undo_it, say_it))
    assert [each.name for each in both] == ["undo_it", "say_it"]
    assert both.on(Surface.MCP) == [say_it]
    assert both.on(Surface.CLI) == [undo_it, say_it]
    assert both.get("say_it") is say_it
    assert both.get("sayit") is None


def test_two_operations_cannot_share_a_name():
    with pytest.raises(ValueError, match="say_it"):
        Catalogue((say_it, say_it))


def test_every_operation_has_valid_schemas_a_title_and_a_description():
    for each in catalogue():
        Draft202012Validator.check_schema(input_schema(each))
        Draft202012Validator.check_schema(each.output_model.model_json_schema(mode="serialization"))
        assert each.title
        assert each.description
        assert (each.effect is Effect.READ) <= each.idempotent


def test_an_answer_without_words_fails_loudly():
    with pytest.raises(NotImplementedError, match="Answer"):
        Answer().as_text()
