"""The plugin of opencode, run by Node as opencode runs it, with a `bigmind` that answers as a server would."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bigmind.clients.targets.opencode_plugin import plugin

pytestmark = pytest.mark.skipif(os.name != "posix", reason="its `bigmind` is a script of a POSIX shell")
NODE = Path(sys.executable).with_name("node")

BIGMIND = """\
#!/bin/sh
printf '%s\\t%s\\n' "$*" "$(cat)" >> "$(dirname "$0")/ran"
case "$2" in
session-start) echo '{"hookSpecificOutput":{"hookEventName":"x","additionalContext":"what is known"}}' ;;
pre-compact) echo '{"hookSpecificOutput":{"hookEventName":"x","additionalContext":"the open session"}}' ;;
prompt) echo '{"hookSpecificOutput":{"hookEventName":"x","additionalContext":"flag it"}}' ;;
esac
"""
CMD = """\
#!/bin/sh
eval "$(printf '%s' "$2" | sed 's/%HOOK_COMMAND%/$HOOK_COMMAND/')"
"""
"""Stands for Windows' command interpreter, in so far as it puts a variable's value where its name stands."""
SLOW = """\
#!/bin/sh
sleep 15
"""
HARNESS = """\
import { BigMind } from "./plugin.mjs"
const prompts = { build: undefined, title: "Name it.", compaction: "Sum it up.", mine: "its own" }
const agents = async () => ({ data: Object.entries(prompts).map(([name, prompt]) => ({ name, prompt })) })
const client = { app: { agents } }
const hooks = await BigMind({ client, directory: "/home/ada/engine" })
const second = await BigMind({ directory: "/home/ada/engine" })
const event = (type, properties) => hooks.event({ event: { type, properties } })
const system = async (sessionID, first = "its own") => {
  const output = { system: [first] }
  await hooks["experimental.chat.system.transform"]({ sessionID }, output)
  return output.system
}
const compacting = async (sessionID) => {
  const output = { context: [] }
  await hooks["experimental.session.compacting"]({ sessionID }, output)
  return output.context
}
const prompt = (sessionID) => hooks["chat.message"]({ sessionID }, { message: {}, parts: [] })
const said = await (async () => { STEPS })()
console.log(JSON.stringify({ said, second: Object.keys(second) }))
"""


class Opencode:
    """A folder with the plugin, and a `bigmind` beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.command = folder / "Big Mind's" / "bigmind"
        self.command.parent.mkdir()
        self.answers(BIGMIND)

    def answers(self, script: str) -> None:
        self.command.write_text(script)
        self.command.chmod(0o755)

    def does(self, steps: str, *arguments: str, longest: int = 5000) -> dict[str, Any]:
        (self.folder / "plugin.mjs").write_text(plugin(str(self.command)).replace("= 5000", f"= {longest}"))
        (self.folder / "harness.mjs").write_text(HARNESS.replace("STEPS", steps))
        done = subprocess.run(
            [NODE, "harness.mjs", *arguments], cwd=self.folder, capture_output=True, text=True, check=False, timeout=60
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    @property
    def ran(self) -> list[tuple[str, dict[str, Any]]]:
        """The command lines of `bigmind`, with what was on their input."""
        log = self.command.with_name("ran")
        lines = [line.split("\t", 1) for line in log.read_text().splitlines()] if log.exists() else []
        return [(line, json.loads(given)) for line, given in lines]


@pytest.fixture
def opencode(tmp_path: Path) -> Opencode:
    return Opencode(tmp_path)


@pytest.mark.parametrize("folder", ["Big Mind's", "100% %HOME% & 'x'"])
def test_a_batch_file_is_handed_to_the_shell_as_node_starts_none(
    opencode: Opencode, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = opencode.folder / "shell"
    shell.write_text(CMD)
    shell.chmod(0o755)
    monkeypatch.setenv("ComSpec", str(shell))
    opencode.command = opencode.folder / folder / "bigmind.cmd"
    opencode.command.parent.mkdir(exist_ok=True)
    opencode.answers(BIGMIND)
    said = opencode.does('await prompt("s1"); return system("s1")')["said"]
    assert said == ["its own", "what is known", "flag it"]


def test_what_takes_too_long_is_not_waited_for_though_what_it_started_runs_on(opencode: Opencode) -> None:
    opencode.answers(SLOW)
    begun = time.monotonic()
    assert opencode.does('return system("s1")', longest=100)["said"] == ["its own"]
    assert time.monotonic() - begun < 12


def test_a_command_that_cannot_be_started_at_all_is_not_in_the_way(opencode: Opencode) -> None:
    opencode.command = Path("a\0b")  # which Node refuses to start, as it does a batch file
    assert opencode.does('await prompt("s1"); return system("s1")')["said"] == ["its own"]


def test_every_request_carries_what_is_known_and_it_is_asked_for_once(opencode: Opencode) -> None:
    told = opencode.does('return [await system("s1"), await system("s1")]')
    assert told["said"] == [["its own", "what is known"]] * 2
    assert opencode.ran == [
        (
            "hook session-start --client opencode",
            {
                "session_id": "s1",
                "cwd": "/home/ada/engine",
                "source": "startup",
                "hook_event_name": "session-start",
            },
        )
    ]


def test_what_opencode_asks_for_itself_carries_no_context(opencode: Opencode) -> None:
    title = 'await system("s1", "Name it.\\nIn German.")'
    told = opencode.does(f'await prompt("s1"); return [{title}, await system("s1", "Sum it up."), await system("s1")]')
    assert told["said"] == [["Name it.\nIn German."], ["Sum it up."], ["its own", "what is known", "flag it"]]


@pytest.mark.parametrize(
    "agents",
    ['async () => { throw new Error("none") }', "async () => ({ error: 500 })", "() => new Promise(() => {})", "0"],
)
def test_where_opencode_does_not_say_its_prompts_every_request_carries_it(opencode: Opencode, agents: str) -> None:
    told = opencode.does(f'client.app.agents = {agents}; return system("s1", "Name it.")', longest=2000)
    assert told["said"] == ["Name it.", "what is known"]


def test_a_stop_is_told_of_and_nothing_comes_of_it(opencode: Opencode) -> None:
    opencode.does('await system("s1"); await event("session.idle", { sessionID: "s1" }); return null')
    assert [line for line, _ in opencode.ran] == [
        "hook session-start --client opencode",
        "hook stop --client opencode",
    ]


def test_a_stop_tells_what_the_assistant_said_last(opencode: Opencode) -> None:
    said = 'await hooks["experimental.text.complete"]({ sessionID, messageID: "m", partID: "p" }, { text });'
    says = f"const says = async (sessionID, text) => {{ {said} }};"
    idle = 'await event("session.idle", { sessionID: "s1" });'
    opencode.does(
        f'{says} await prompt("s1"); await says("s1", "First."); await says("s1", "The pump is blue."); '
        f'await says("s1", "  "); await says("other", "Of nobody."); {idle} return null'
    )
    [stop] = [given for line, given in opencode.ran if "hook stop" in line]
    assert stop["last_assistant_message"] == "The pump is blue."


def test_a_turn_without_words_does_not_stop_with_those_of_the_turn_before(opencode: Opencode) -> None:
    says = 'await hooks["experimental.text.complete"]({ sessionID: "s1" }, { text: "The pump is blue." });'
    idle = 'await event("session.idle", { sessionID: "s1" });'
    opencode.does(f'await prompt("s1"); {says} {idle} await prompt("s1"); {idle} return null')
    stops = [given["last_assistant_message"] for line, given in opencode.ran if "hook stop" in line]
    assert stops == ["The pump is blue.", ""]


def test_what_a_prompt_asks_for_stands_behind_what_is_known(opencode: Opencode) -> None:
    told = opencode.does('await prompt("s1"); return await system("s1")')
    assert told["said"] == ["its own", "what is known", "flag it"]
    assert [line for line, _ in opencode.ran] == [
        "hook session-start --client opencode",
        "hook prompt --client opencode",
    ]


@pytest.mark.parametrize(("command", "shown"), [("run", {False}), ("serve", {None})])
def test_opencode_run_is_a_single_call(opencode: Opencode, command: str, shown: set[bool | None]) -> None:
    opencode.does('await prompt("s1"); await event("session.idle", { sessionID: "s1" }); return null', command)
    assert {given.get("attended") for _, given in opencode.ran} == shown


@pytest.mark.parametrize(("command", "ending"), [("run", "session-end"), ("serve", "stop")])
def test_opencode_run_is_over_when_its_model_stops(opencode: Opencode, command: str, ending: str) -> None:
    opencode.does('await prompt("s1"); await event("session.idle", { sessionID: "s1" }); return null', command)
    assert opencode.ran[-1][0] == f"hook {ending} --client opencode"


def test_a_compaction_keeps_the_reminder(opencode: Opencode) -> None:
    assert opencode.does('return await compacting("s1")')["said"] == ["the open session"]


def test_an_end_is_told_of_a_conversation_that_had_begun(opencode: Opencode) -> None:
    ended = 'await event("session.deleted", { info: { id: "s1" } });'
    opencode.does(f'{ended} await system("s1"); {ended} {ended} return null')
    assert [line for line, _ in opencode.ran if "session-end" in line] == ["hook session-end --client opencode"]


def test_the_children_of_a_conversation_are_left_out(opencode: Opencode) -> None:
    child = 'await event("session.created", { info: { id: "c1", parentID: "s1" } });'
    told = opencode.does(
        f'{child} await prompt("c1"); const seen = await system("c1");'
        ' await event("session.idle", { sessionID: "c1" }); return seen'
    )
    assert told["said"] == ["its own"]
    assert opencode.ran == []


def test_it_runs_once_where_it_stands_in_the_home_and_in_a_workspace(opencode: Opencode) -> None:
    assert opencode.does("return null")["second"] == []


@pytest.mark.parametrize("script", ["#!/bin/sh\nexit 1\n", "#!/bin/sh\necho no JSON\n", "#!/nowhere/at-all\n"])
def test_without_an_answer_opencode_goes_on_as_without_us(opencode: Opencode, script: str) -> None:
    opencode.answers(script)
    told = opencode.does(
        'const seen = await system("s1"); await event("session.idle", { sessionID: "s1" });'
        ' return [seen, await compacting("s1")]'
    )
    assert told["said"] == [["its own"], []]


def test_where_there_is_no_bigmind_opencode_goes_on_too(opencode: Opencode) -> None:
    opencode.command.unlink()
    assert opencode.does('return await system("s1")')["said"] == ["its own"]
