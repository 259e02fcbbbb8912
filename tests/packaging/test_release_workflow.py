"""The workflow of a release: a hosted CI would take it, and what it runs is there."""

import json
import re
from importlib.resources import files

import jsonschema
import pytest
import yaml

from tests.system_programs import ROOT

WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"


@pytest.fixture(scope="module")
def workflow() -> dict:
    return yaml.load(WORKFLOW.read_text(), yaml.BaseLoader)  # noqa: S506 - it makes nothing but strings


def test_it_is_one_by_the_schema_of_hosted_workflows() -> None:
    schema = files("check_jsonschema").joinpath("builtin_schemas/vendor/github-workflows.json").read_text()
    told = yaml.safe_load(WORKFLOW.read_text())
    told["on"] = told.pop(True)  # YAML 1.1 takes the word for one
    jsonschema.Draft7Validator(json.loads(schema)).validate(told)


def test_each_of_its_actions_is_pinned_by_its_commit(workflow: dict) -> None:
    used = [step["uses"] for job in workflow["jobs"].values() for step in job["steps"] if "uses" in step]
    assert len(used) > 8
    assert [each for each in used if not re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", each)] == []


def test_it_may_write_in_the_job_that_attaches_alone(workflow: dict) -> None:
    assert workflow["permissions"] == {"contents": "read"}
    assert [name for name, job in workflow["jobs"].items() if "permissions" in job] == ["release"]
    assert workflow["jobs"]["release"]["needs"] == ["linux", "windows", "macos"]
    assert workflow["jobs"]["release"]["if"] == "startsWith(github.ref, 'refs/tags/v')"


def test_what_it_runs_is_there(workflow: dict) -> None:
    scripts = "\n".join(step.get("run", "") for job in workflow["jobs"].values() for step in job["steps"])
    named = {each.replace("\\", "/") for each in re.findall(r"packaging[/\\][\w./\\]+\.(?:py|sh)", scripts)}
    assert len(named) > 5
    assert [each for each in sorted(named) if not (ROOT / each).is_file()] == []
    commands = set(re.findall(r"make (\w+)", scripts))
    assert {"bundle", "distributions"} <= commands
    told = (ROOT / "Makefile").read_text()
    assert [each for each in commands if f"\n{each}:" not in told] == []


@pytest.mark.parametrize("system", ["windows", "macos", "linux"])
def test_each_bundle_is_tried_before_it_is_given_away(workflow: dict, system: str) -> None:
    steps = workflow["jobs"][system]["steps"]
    [tried] = [number for number, step in enumerate(steps) if "smoke" in step.get("run", "")]
    [given] = [number for number, step in enumerate(steps) if "upload-artifact" in step.get("uses", "")]
    assert tried < given
