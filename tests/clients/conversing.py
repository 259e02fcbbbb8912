"""How each real client holds one whole conversation without a terminal, against the model of a test."""

import json
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.clients.machine import Machine
from tests.clients.real import client_environment, program
from tests.clients.stub_model import StubModel

KEY = "x" * 20


@dataclass(frozen=True)
class Conversation:
    """A client's command, and what its environment says of the model."""

    command: list[str]
    environment: dict[str, str]


def claude_code(model: StubModel, prompt: str, *options: str) -> Conversation:
    """Claude Code in print mode."""
    return Conversation(
        [program("claude"), "-p", prompt, *options], {"ANTHROPIC_BASE_URL": model.address, "ANTHROPIC_API_KEY": KEY}
    )


def codex(model: StubModel, prompt: str) -> Conversation:
    """Codex as if its person had trusted the hooks, which it asks for at a terminal."""
    provider = f'{{name="stub", base_url="{model.address}/v1", wire_api="responses", env_key="STUB_KEY"}}'
    settings = ('model="stub"', 'model_provider="stub"', f"model_providers.stub={provider}")
    options = [part for each in settings for part in ("-c", each)]
    trusted = ["--skip-git-repo-check", "--dangerously-bypass-hook-trust"]
    return Conversation([program("codex"), "exec", *options, *trusted, prompt], {"STUB_KEY": KEY})


def opencode(model: StubModel, prompt: str) -> Conversation:
    """Opencode without its plugins, and so without hooks."""
    provider = {
        "options": {"baseURL": f"{model.address}/v1", "apiKey": KEY},
        "models": {"stub": {"name": "stub", "tool_call": True, "limit": {"context": 200_000, "output": 4_000}}},
    }
    settings = {"provider": {"anthropic": provider}, "model": "anthropic/stub", "small_model": "anthropic/stub"}
    return Conversation(
        [program("opencode"), "run", "--pure", prompt], {"OPENCODE_CONFIG_CONTENT": json.dumps(settings)}
    )


Client = Callable[[StubModel, str], Conversation]


def hold(machine: Machine, folder: Path, conversation: Conversation) -> None:
    """One whole conversation in a project's folder."""
    around = client_environment(machine.home, BIGMIND_HOOK_MILLISECONDS="60000", **conversation.environment)
    done = subprocess.run(
        conversation.command,
        env=around,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()


def project_folder(machine: Machine, name: str, remote: str) -> Path:
    """A folder of the home whose project is that git remote."""
    machine.file(f"{name}/.git/HEAD", "ref: refs/heads/main\n")
    machine.file(f"{name}/.git/config", f'[remote "origin"]\n\turl = https://{remote}.git\n')
    return machine.home / name


def texts(said: object) -> Iterator[str]:
    """The texts anywhere in a request."""
    if isinstance(said, str):
        yield said
    elif isinstance(said, dict | list):
        for each in said.values() if isinstance(said, dict) else said:
            yield from texts(each)
