"""A command is ended whole: with all that it started, wherever that went, and nothing of it stays behind here."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from bigmind.workspace import guarded_tree, tree_guard
from bigmind.workspace.approved_commands import CANCELLED, TIMED_OUT, CommandResult, run_command
from bigmind.workspace.guarded_tree import LEFT_OVER, LOST_GUARD, GuardedTree
from tests.workspace.checks import LONG, Checks, Watch, on_threads

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="macOS has no one to whom orphans fall")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a job does it there")

CHILD = "if os.fork() == 0: stay()\n"
SESSION = "if os.fork() == 0:\n    os.setsid()\n    stay()\n"
QUIET_SESSION = "if os.fork() == 0:\n    os.setsid()\n    os.closerange(0, 3)\n    stay()\n"
DAEMON = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.chdir('/')
        os.closerange(0, 3)
        stay()
    os._exit(0)
os.wait()
"""
WITHOUT_A_NAME = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 3)
        program = 'import os,sys,signal; os.write(os.open(sys.argv[1], 1), b"there\\\\n"); signal.pause()'
        os.execve(sys.executable, ['other', '-S', '-c', program, sys.argv[1]], {})
    os._exit(0)
os.wait()
"""
DEAF = """
if os.fork() == 0:
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    os.setsid()
    stay()
"""
IN_A_STOP = "if os.fork() == 0:\n    os.setsid()\n    tell()\n    os.kill(os.getpid(), signal.SIGSTOP)\n"
TELL = """
def tell():
    os.write(os.open(sys.argv[1], os.O_WRONLY), b'there\\n')
"""
LEFT_BEHIND = {
    "a child": CHILD,
    "one in a session of its own": SESSION,
    "one that closed its output": QUIET_SESSION,
    "a daemon": DAEMON,
    "a daemon without its environment and name": WITHOUT_A_NAME,
    "one that does not listen": DEAF,
    "one that was stopped": IN_A_STOP,
}
orphans = pytest.mark.parametrize(
    "left_behind",
    [pytest.param(text, id=name, marks=LINUX if "daemon" in name else ()) for name, text in LEFT_BEHIND.items()],
)
WAIT_FOR_IT = "\nheard = os.open(sys.argv[2], os.O_RDONLY)\nos.read(heard, 1)\n"


@orphans
def test_what_it_left_behind_ends_with_it(checks: Checks, watch: Watch, left_behind: str):
    go = checks.root / "go"
    os.mkfifo(go)
    text = f"{TELL}{left_behind}{WAIT_FOR_IT}print('done')"
    found = list[CommandResult]()
    command = checks.script(text, watch.path, str(go))
    thread = threading.Thread(target=lambda: found.append(run_command(command, checks.root, LONG)))
    thread.start()
    assert watch.first()
    go.write_bytes(b"x")
    thread.join()
    assert (found[0].exit_code, found[0].fault, found[0].output) == (0, "", "done\n")
    assert len(watch.all_gone()) == 1


@orphans
def test_all_of_it_ends_when_it_is_cancelled(checks: Checks, watch: Watch, left_behind: str):
    result = checks.run_script(
        f"{TELL}{left_behind}\nstay()", watch.path, is_cancelled=lambda: watch.has(2), environment={"KEPT": "1"}
    )
    assert (result.exit_code, result.fault) == (None, CANCELLED)
    assert len(watch.all_gone()) == 2


@LINUX
def test_all_of_it_ends_at_the_limit(checks: Checks, watch: Watch):
    result = checks.run_script(f"{WITHOUT_A_NAME}{DAEMON}{CHILD}\nstay()", watch.path, seconds=1.0)
    assert (result.exit_code, result.fault) == (None, TIMED_OUT)
    watch.all_gone()


def test_it_is_asked_first_and_may_say_goodbye(checks: Checks, watch: Watch):
    text = """
def leave(number, frame):
    print('goodbye', flush=True)
    sys.exit(0)
signal.signal(signal.SIGTERM, leave)
stay()
"""
    result = checks.run_script(text, watch.path, is_cancelled=watch.has)
    assert (result.exit_code, result.fault, result.output) == (None, CANCELLED, "goodbye\n")
    assert result.seconds < tree_guard.GRACE_SECONDS


def test_one_that_was_stopped_may_say_goodbye_too(checks: Checks, watch: Watch):
    text = """
def leave(number, frame):
    print('goodbye', flush=True)
    os._exit(0)
signal.signal(signal.SIGTERM, leave)
os.write(os.open(sys.argv[1], os.O_WRONLY), b'there\\n')
os.kill(os.getpid(), signal.SIGSTOP)
"""
    result = checks.run_script(text, watch.path, is_cancelled=watch.has)
    assert (result.fault, result.output) == (CANCELLED, "goodbye\n")


def test_one_that_does_not_listen_is_killed_after_a_grace(checks: Checks, watch: Watch):
    result = checks.run_script(
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nstay()", watch.path, is_cancelled=watch.has
    )
    assert (result.exit_code, result.fault) == (None, CANCELLED)
    assert result.seconds >= tree_guard.GRACE_SECONDS
    assert len(watch.all_gone()) == 1


def test_one_that_closes_its_output_runs_on_until_its_limit(checks: Checks, watch: Watch):
    result = checks.run_script("print('x', flush=True)\nos.closerange(0, 3)\nstay()", watch.path, seconds=1.0)
    assert (result.exit_code, result.fault, result.output) == (None, TIMED_OUT, "x\n")
    watch.all_gone()


def test_its_own_exit_code_counts_though_something_does_not_listen(checks: Checks, watch: Watch):
    ready = checks.root / "ready"
    os.mkfifo(ready)
    text = f"""
if os.fork() == 0:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.write(os.open({str(ready)!r}, os.O_WRONLY), b'x')
    stay()
os.read(os.open({str(ready)!r}, os.O_RDONLY), 1)
sys.exit(7)
"""
    result = checks.run_script(text, watch.path)
    assert (result.exit_code, result.fault) == (7, "")
    watch.all_gone()


@LINUX
def test_one_that_forks_away_is_caught_or_told(checks: Checks, watch: Watch):
    """A process that its child takes the place of, again and again, never more than two; until it is told to stop."""
    stop = checks.root / "stop"
    text = """
told = os.open(sys.argv[1], os.O_WRONLY)
if os.fork() == 0:
    os.setsid()
    for _ in range(200_000):
        if os.path.exists(sys.argv[2]):
            os.write(told, b'escaped\\n')
            break
        if os.fork():
            break
    os._exit(0)
"""
    result = checks.run_script(text, watch.path, str(stop))
    stop.touch()
    assert bool(watch.all_gone()) <= bool(result.fault)
    assert (result.exit_code is None) == bool(result.fault)


@LINUX
def test_one_that_kills_its_guard_is_ended_all_the_same(checks: Checks, watch: Watch):
    text = f"{SESSION}\nos.kill(os.getppid(), signal.SIGKILL)\nstay()"
    result = checks.run_script(text, watch.path)
    assert (result.exit_code, result.fault) == (None, LOST_GUARD)
    watch.all_gone()


def test_its_guard_tells_of_it_before_it_can_do_anything(checks: Checks):
    command = checks.approve("sh", "-c", "kill -9 $PPID")
    assert {run_command(command, checks.root, LONG).fault for _ in range(20)} == {LOST_GUARD}


@LINUX
def test_one_that_stops_its_guard_is_ended_at_its_limit(checks: Checks, watch: Watch, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(guarded_tree, "ENDING_SECONDS", 0.5)
    text = f"{DAEMON}\nos.kill(os.getppid(), signal.SIGSTOP)\nstay()"
    result = checks.run_script(text, watch.path, is_cancelled=lambda: watch.has(2))
    assert (result.exit_code, result.fault) == (None, CANCELLED)
    assert len(watch.all_gone()) == 2


def test_a_guard_does_not_listen_to_signals_that_mean_others(checks: Checks):
    text = """
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2):
    os.kill(os.getppid(), number)
print('still here')
"""
    result = checks.run_script(text)
    assert (result.exit_code, result.output) == (0, "still here\n")


def test_all_of_it_ends_with_bigmind(checks: Checks, watch: Watch):
    checks.script(f"{DAEMON if sys.platform.startswith('linux') else SESSION}\nstay()", watch.path)
    text = """
import sys
from pathlib import Path
from bigmind.workspace.approved_commands import command_for, run_command
root = Path(sys.argv[1])
run_command(command_for("check", (sys.executable, "-S", "check.py", sys.argv[2]), (), root), root, 120)
"""
    server = subprocess.Popen([sys.executable, "-c", text, str(checks.root), watch.path], cwd=Path(__file__).parents[2])
    assert watch.first()
    server.send_signal(signal.SIGKILL)
    server.wait()
    watch.all_gone()


def test_twenty_run_at_once(checks: Checks):
    command = checks.script(f"{CHILD}print(sys.argv[2] * 100_000)\nsys.exit(int(sys.argv[2]))", os.devnull, "3")

    def one(number: int) -> CommandResult:
        mine = checks.approve(*command.arguments[:-1], str(number % 10))
        return run_command(mine, checks.root, LONG)

    results = on_threads(20, one)
    assert [(each.exit_code, each.fault) for each in results] == [(number % 10, "") for number in range(20)]
    assert [each.output[0] for each in results] == [str(number % 10) for number in range(20)]
    assert {each.is_cut for each in results} == {True}


def test_nothing_stays_behind_here(checks: Checks, watch: Watch):
    def one(number: int) -> CommandResult:
        if number % 4 == 3:
            return checks.run("./nothing", seconds=LONG)
        command = checks.script(f"{CHILD}print('x' * 10)", os.devnull)
        return run_command(command, checks.root, LONG, is_cancelled=lambda: number % 4 == 2)

    (checks.root / "nothing").write_text("#!/nowhere\n")
    (checks.root / "nothing").chmod(0o755)
    on_threads(4, one)
    process = psutil.Process()
    files, threads = process.num_fds(), set(threading.enumerate())
    children = {each.pid for each in process.children()}
    on_threads(12, one)
    checks.run_script("signal.signal(signal.SIGTERM, signal.SIG_IGN)\nstay()", watch.path, is_cancelled=watch.has)
    # What another test of this worker left may end meanwhile: only what is more than before stayed behind.
    assert process.num_fds() <= files
    assert set(threading.enumerate()) <= threads
    assert {each.pid for each in process.children()} <= children


def test_it_may_be_ended_twice_and_before_it_says_anything(checks: Checks):
    tree = GuardedTree(["/bin/sh", "-c", "while :; do :; done"], checks.root, {}, lambda _: None)
    tree.end()
    code = tree.exit_code
    tree.end()
    assert code == tree.exit_code == -signal.SIGTERM


def test_an_output_that_cannot_be_taken_ends_it(checks: Checks, watch: Watch, monkeypatch: pytest.MonkeyPatch):
    def refuse(_output: object, _piece: bytes) -> None:
        raise MemoryError

    monkeypatch.setattr("bigmind.workspace.command_output.CommandOutput.take", refuse)
    with pytest.raises(MemoryError):
        checks.run_script("os.write(1, b'x')\nstay()", watch.path)
    watch.all_gone()


def test_what_cannot_be_ended_is_told(checks: Checks, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(GuardedTree, "_hear", hears_that_one_is_left(GuardedTree._hear))
    result = checks.run("true")
    assert (result.exit_code, result.fault) == (None, LEFT_OVER)


def hears_that_one_is_left(hear):
    return lambda tree, word, number: hear(tree, word, b"1" if word == b"left" else number)
