"""The published document, and that what is answered is what it says."""

import base64
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from bigmind.core.operation import Effect, Surface
from bigmind.wiring import catalogue
from tests.http.good import GOOD, own_things
from tests.http.inside import Inside, server_inside
from tests.http.world import World, build_world

pytestmark = pytest.mark.xdist_group("http-openapi")

ON_API = [operation.name for operation in catalogue().on(Surface.API)]
ROOT = "urn:bigmind"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with server_inside(tmp_path_factory.mktemp("openapi") / "home") as inside:
        yield build_world(inside)


@pytest.fixture(scope="module")
def document(served: World) -> dict[str, Any]:
    with served.inside.http(served.cli) as http:
        answered = http.get("/api/v1/openapi.json")
    assert answered.headers["content-type"] == "application/json"
    return answered.json()


def test_the_names_of_schemas_outlive_moves_of_modules(document: dict[str, Any]) -> None:
    """Programs are made from the document: where a class stands in our folders is no name for them."""
    told = {name for name in document["components"]["schemas"] if "__" in name}
    assert told == {"bigmind__memory__care_answers__Finding", "bigmind__memory__search_answers__Finding"}


@pytest.fixture(scope="module")
def registry(document: dict[str, Any]) -> Registry[Any]:
    """The document, in which references are looked up; it is gone through once, and not by each check."""
    resource = Resource.from_contents(document, default_specification=DRAFT202012)
    return Registry().with_resource(ROOT, resource).crawl()


def validator(registry: Registry[Any], schema: dict[str, Any]) -> Draft202012Validator:
    """Checks an answer against a schema of the document, whose references it follows."""
    absolute = _rooted(schema)
    Draft202012Validator.check_schema(absolute)
    return Draft202012Validator(absolute, registry=registry, format_checker=Draft202012Validator.FORMAT_CHECKER)


def _rooted(node: Any) -> Any:
    if isinstance(node, list):
        return [_rooted(each) for each in node]
    if isinstance(node, dict):
        return {key: f"{ROOT}{value}" if key == "$ref" else _rooted(value) for key, value in node.items()}
    return node


def problem(registry: Registry[Any]) -> Draft202012Validator:
    return validator(registry, registry.contents(ROOT)["components"]["schemas"]["Problem"])


def test_the_document_is_a_valid_openapi_document(document: dict[str, Any]) -> None:
    OpenAPIV31SpecValidator(document).validate()


def test_it_describes_every_operation_of_the_api_and_nothing_else(document: dict[str, Any]) -> None:
    assert set(document["paths"]) == {f"/api/v1/{name}" for name in ON_API}
    assert document["security"] == [{"token": []}]
    for operation in catalogue().on(Surface.API):
        described = document["paths"][f"/api/v1/{operation.name}"]["post"]
        assert described["summary"]
        assert described["description"]
        has_key = any(each["name"] == "Idempotency-Key" for each in described.get("parameters", []))
        assert has_key == (operation.effect is not Effect.READ), operation.name


def test_every_operation_has_a_good_call_here() -> None:
    assert set(GOOD) == set(ON_API)


@pytest.mark.parametrize("name", ON_API)
def test_a_good_call_and_its_answer_fit_their_schemas(
    document: dict[str, Any], registry: Registry[Any], served: World, name: str
) -> None:
    operation = served.inside.mind.dispatcher.catalogue.get(name)
    assert operation is not None
    described = document["paths"][f"/api/v1/{name}"]["post"]
    request = described["requestBody"]["content"]["application/json"]["schema"]
    response = described["responses"]["200"]["content"]["application/json"]["schema"]
    with served.inside.http(served.cli) as http:
        validator(registry, request).validate(given := GOOD[name](served.ids))
        answered = http.post(f"/api/v1/{name}", json=given)
        if answered.status_code != 200 and not operation.in_person:  # another has changed or used up what it is about
            validator(registry, request).validate(given := GOOD[name](own_things(served.inside, "ada")))
            answered = http.post(f"/api/v1/{name}", json=given)
    if operation.in_person:  # no token proves a person
        assert (answered.status_code, answered.json()["code"]) == (403, "in_person")
        return
    assert answered.status_code == 200, answered.text
    assert answered.headers["content-type"] == "application/json"
    validator(registry, response).validate(answered.json())
    Draft202012Validator(operation.output_model.model_json_schema(mode="serialization")).validate(answered.json())


@pytest.mark.parametrize("name", [each.name for each in catalogue().on(Surface.API) if not each.in_person])
def test_a_bad_call_is_a_problem_that_names_the_field(registry: Registry[Any], served: World, name: str) -> None:
    with served.inside.http(served.cli) as http:
        answered = http.post(f"/api/v1/{name}", json={**GOOD[name](served.ids), "nonsense": 7})
    assert answered.status_code == 422
    assert answered.headers["content-type"] == "application/problem+json"
    said = answered.json()
    problem(registry).validate(said)
    assert said["code"] == "invalid_input"
    field = next(each for each in said["fields"] if each["field"] == "nonsense")
    assert field["value"] == "7"
    assert field["expected"].startswith("no such field")


def test_every_error_is_a_problem_as_described(registry: Registry[Any], served: World) -> None:
    json_type = {"Content-Type": "application/json"}
    fact = "/api/v1/memory_store_fact"
    asked = [
        (401, "unauthenticated", "POST", fact, {"json": {}, "headers": {"Authorization": "Bearer none"}}),
        (403, "forbidden", "POST", fact, {"json": {}, "headers": {"Origin": "null"}}),
        (404, "not_found", "POST", "/api/v1/no_such_thing", {"json": {}}),
        (404, "not_found", "GET", "/api/v1", {}),
        (404, "not_found", "POST", "/api/v1/memory_get_session_detail", {"json": {"session_id": "00000000"}}),
        (405, "bad_request", "GET", fact, {}),
        (405, "bad_request", "PUT", fact, {"json": {}}),
        (405, "bad_request", "POST", "/api/v1/openapi.json", {"json": {}}),
        (415, "bad_request", "POST", fact, {"content": b"{}"}),
        (421, "forbidden", "POST", fact, {"json": {}, "headers": {"Host": "evil.com"}}),
        (422, "invalid_input", "POST", fact, {"json": {}}),
        (413, "too_large", "POST", fact, {"content": b" " * (4 * 1024 * 1024 + 1), "headers": json_type}),
        *(
            (400, "bad_request", "POST", fact, {"content": body, "headers": json_type})
            for body in (b"[]", b"null", b'"text"', b"7", b"{", b"{'a': 1}", b"{} {}", b"\xff", b"[" * 70, b"9" * 5_000)
        ),
    ]
    with served.inside.http(served.cli) as http:
        for status, code, method, path, given in asked:
            answered = http.request(method, path, **given)
            where = f"{method} {path} {str(given)[:60]}"
            assert answered.status_code == status, (where, answered.text[:200])
            assert answered.headers["content-type"] == "application/problem+json", where
            problem(registry).validate(answered.json())
            assert (answered.json()["status"], answered.json()["code"]) == (status, code), where


def test_a_wrong_method_is_told_the_right_one(served: World) -> None:
    with served.inside.http(served.cli) as http:
        allowed = http.get("/api/v1/memory_store_fact").headers["allow"]
    assert {method.strip() for method in allowed.split(",")} == {"POST", "OPTIONS"}


def test_an_empty_body_is_an_empty_object(inside: Inside) -> None:
    with inside.http(inside.token(), headers={"Content-Type": "application/json"}) as http:
        assert http.post("/api/v1/memory_get_stats").status_code == 200
        assert http.post("/api/v1/memory_store_fact").status_code == 422


@pytest.mark.parametrize(
    ("operation", "arguments"),
    [
        ("memory_list_sessions", {"since": "0001-01-01T00:00:00+14:00"}),
        ("memory_list_sessions", {"since": "9999-12-31T23:59:59-14:00"}),
        ("memory_search_chunks", {"query": "x", "since": "0001-01-01T00:00:00+23:59"}),
        ("memory_list_sessions", {"since": "2026-13-01"}),
        ("memory_list_sessions", {"since": 1e308}),
        ("memory_list_sessions", {"limit": 10**30}),
        ("memory_list_sessions", {"cursor": "****"}),
        ("memory_get_context", {"sessions": -1}),
        ("memory_store_fact", {"category": "a", "fact": "b", "confidence": 1e308}),
    ],
)
def test_a_value_at_the_edge_of_its_type_is_refused_in_our_words(
    registry: Registry[Any], served: World, operation: str, arguments: dict[str, Any]
) -> None:
    with served.inside.http(served.cli) as http:
        answered = http.post(f"/api/v1/{operation}", json=arguments)
    assert answered.status_code == 422, answered.text
    problem(registry).validate(answered.json())


@pytest.mark.parametrize("place", ["99999999999999999999999", "-99999999999999999999999", "0"])
@pytest.mark.parametrize("moment", ["2026-01-01", "0001-01-01T00:00:00+14:00", "2026-01-01T00:00:00+00:00"])
def test_a_made_up_cursor_is_no_fault_of_the_server(served: World, moment: str, place: str) -> None:
    cursor = base64.urlsafe_b64encode(f"{moment}|{place}".encode()).decode().rstrip("=")
    with served.inside.http(served.cli) as http:
        answered = http.post("/api/v1/memory_list_sessions", json={"cursor": cursor})
    assert answered.status_code in {200, 422}, answered.text


def test_a_moment_of_an_impossible_number_is_not_found(served: World) -> None:
    with served.inside.browser(served.browser) as browser:
        for number in ("99999999999999999999999", "-99999999999999999999999", "2147483648", "0", "9" * 5_000):
            answered = browser.get(f"/sessions/{served.ids.session}/moments/{number}")
            assert answered.status_code == 404, number
