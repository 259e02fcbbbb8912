"""The OpenAPI document of the JSON API, made from the catalogue.

Made here and not by the web framework, because the operations already carry their schemas, and the framework's
generator would load a library of fake data into every server.
"""

import json
from collections.abc import Sequence
from typing import Any

from pydantic.json_schema import models_json_schema

from bigmind import VERSION
from bigmind.core.errors import HTTP_STATUS, Code
from bigmind.core.operation import Effect, Operation

_TEMPLATE = "#/components/schemas/{model}"
_PUBLISHED = {
    "bigmind__maintenance__answers__Finding": "bigmind__memory__care_answers__Finding",
    "bigmind__memory__recall__answers__Finding": "bigmind__memory__search_answers__Finding",
}
"""Where two answers have one name, theirs is told with a module; programs made from the document know these."""


def openapi_document(operations: Sequence[Operation]) -> dict[str, Any]:
    """An OpenAPI 3.1 document."""
    models = [(operation.input_model, "validation") for operation in operations]
    models += [(operation.output_model, "serialization") for operation in operations]
    references, definitions = models_json_schema(models, ref_template=_TEMPLATE)  # pyright: ignore[reportArgumentType]
    schemas: dict[str, Any] = definitions["$defs"]
    schemas["Problem"] = _problem_schema()
    return _with_published_names(
        {
            "openapi": "3.1.0",
            "info": {
                "title": "BigMind",
                "version": VERSION,
                "description": "The memory as JSON. Every operation is a POST whose body is the operation's input.",
            },
            "security": [{"token": []}],
            "paths": {f"/api/v1/{operation.name}": {"post": _path(operation, references)} for operation in operations},
            "components": {
                "schemas": schemas,
                "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
                "responses": {
                    "Problem": {
                        "description": "What was wrong, where, and what would be right.",
                        "content": {
                            "application/problem+json": {"schema": {"$ref": _TEMPLATE.format(model="Problem")}}
                        },
                    }
                },
            },
        }
    )


def _with_published_names(document: dict[str, Any]) -> dict[str, Any]:
    text = json.dumps(document)
    for name, published in _PUBLISHED.items():
        text = text.replace(name, published)
    return json.loads(text)


def _path(operation: Operation, references: Any) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.title,
        "description": operation.description,
        "tags": [operation.toolset],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": references[operation.input_model, "validation"]}},
        },
        "responses": {
            "200": {
                "description": "Done.",
                "content": {"application/json": {"schema": references[operation.output_model, "serialization"]}},
            },
            "default": {"$ref": "#/components/responses/Problem"},
        },
    }
    if operation.output_model.can_refuse:
        refused = {**described["responses"]["200"], "description": "Not done; the body says why."}
        described["responses"]["409"] = refused
    if operation.effect is not Effect.READ:
        described["parameters"] = [
            {
                "name": "Idempotency-Key",
                "in": "header",
                "description": "The same key within an hour gets the first answer again; nothing is done twice.",
                "schema": {"type": "string", "minLength": 1, "maxLength": 80},
            }
        ]
    return described


def _problem_schema() -> dict[str, Any]:
    text = {"type": "string"}
    field = {
        "type": "object",
        "properties": {"field": text, "value": text, "expected": text},
        "required": ["field", "value", "expected"],
    }
    return {
        "type": "object",
        "properties": {
            "status": {"type": "integer", "enum": sorted({*HTTP_STATUS.values(), 405, 415, 421})},
            "code": {"type": "string", "enum": [str(code) for code in Code]},
            "title": text,
            "hint": text,
            "fields": {"type": "array", "items": field},
        },
        "required": ["status", "code", "title"],
    }
