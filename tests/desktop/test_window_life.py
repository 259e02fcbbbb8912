"""The life of the window: opened, closed, opened again, killed; and of the core that is led to its end."""

from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Playwright, expect

from bigmind.local.runfile import published
from tests.desktop.display import window_manager, x_server
from tests.desktop.windowed import (
    DEBUGGING,
    App,
    app,
    command_of,
    desktop,
    free_port,
    is_over,
    on_screen,
    page_of,
    ports_of,
    window_processes,
)
from tests.support import Watched
from tests.thorough import often

pytestmark = pytest.mark.xdist_group("window")


@pytest.fixture
def around(filled_home: Path, managed_display: str) -> dict[str, str]:
    return desktop(filled_home, managed_display)


def test_it_shows_the_profile_of_a_year_and_keeps_it_to_itself(
    filled_home: Path, around: dict[str, str], playwright: Playwright
) -> None:
    before = set(filled_home.rglob("*"))
    with app(filled_home, around) as running, page_of(playwright, running) as page:
        expect(page).to_have_title("Profile · BigMind")
        expect(page.get_by_text("Principal engineer, platform")).to_be_visible()
        assert page.evaluate("[typeof window.pywebview, typeof window.qt]") == ["undefined", "undefined"]
        commands = [command_of(each) for each in psutil.Process(running.process.pid).children(recursive=True)]
        assert not [command for command in commands if "code=" in " ".join(command)]
        assert [each["client"] for each in running.call("token_list")["tokens"]].count("BigMind's window") == 1
        assert running.call("server_status")["desktop"] is True
        assert running.bigmind("stop").returncode == 0
        assert running.process.wait(60) == 0
        assert b"code=" not in running.process.stdout.read()
    assert is_over(filled_home, running.process.pid)
    assert {
        str(each.relative_to(filled_home))
        for each in set(filled_home.rglob("*")) - before
        if each.suffix != ".template"
    } == {
        "bin",
        "bin/bigmind",
        "compiled",
        "logs",
        "logs/server.log",
        "logs/window.log",
        "store.lock",
        "tokens",
        "tokens/bridge",
        "tokens/cli",
        "window.json",
    } - {str(each.relative_to(filled_home)) for each in before}
    left = [each.name for each in (filled_home.parent / "scratch").iterdir()]
    assert left == []


def test_closed_opened_again_killed_and_quit(filled_home: Path, around: dict[str, str], playwright: Playwright) -> None:
    with app(filled_home, around) as running:
        with page_of(playwright, running):
            first = Watched(window_processes(running))

        on_screen(around, "wmctrl", "-c", "BigMind")
        assert first.have_ended()
        assert running.window() is None
        running.until(lambda: "BigMind's window" not in clients_of(running))

        again = running.bigmind("app")
        assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
        with page_of(playwright, running) as page:
            expect(page.get_by_text("Principal engineer, platform")).to_be_visible()
            second = Watched(window_processes(running))

        running.window().kill()
        assert second.have_ended()
        running.until(lambda: "the window ended with -9" in log_of(filled_home))
        assert running.call("server_status")["pid"] == running.process.pid
        assert running.call("server_show")["shown"] == "window"
        with page_of(playwright, running):
            everything = Watched(psutil.Process(running.process.pid).children(recursive=True))
        assert running.bigmind("stop").returncode == 0
        assert running.process.wait(60) == 0
    assert everything.have_ended()
    assert is_over(filled_home, running.process.pid)


def test_it_fits_a_small_screen(home: Path, playwright: Playwright) -> None:
    home.parent.mkdir(exist_ok=True)
    with x_server("1024x600x24") as display, window_manager(display):
        around = desktop(home, display)
        with app(home, around) as running, page_of(playwright, running) as page:
            expect(page.get_by_role("heading", name="Connect your first assistant")).to_be_visible()
            listed = on_screen(around, "wmctrl", "-lG").split()
            x, y, width, height = (int(each) for each in listed[2:6])
            assert (x >= 0, y >= 0, width <= 1024, height < 600) == (True,) * 4, listed
            running.process.terminate()
            assert running.process.wait(60) == 0


def clients_of(running: App) -> list[str]:
    return [each["client"] for each in running.call("token_list")["tokens"]]


def log_of(home: Path) -> str:
    return (home / "logs" / "server.log").read_text()


def test_a_killed_core_leaves_no_window_and_a_next_start_that_works(
    filled_home: Path, around: dict[str, str], playwright: Playwright
) -> None:
    with app(filled_home, around) as running:
        with page_of(playwright, running):
            everything = Watched(psutil.Process(running.process.pid).children(recursive=True))
        running.kill()
        assert everything.have_ended()
    assert published(filled_home) is not None
    with app(filled_home, around) as next_one, page_of(playwright, next_one) as page:
        expect(page.get_by_text("Principal engineer, platform")).to_be_visible()
        assert clients_of(next_one).count("BigMind's window") == 1


def environment_of(process: psutil.Process) -> dict[str, str]:
    """The variables of a process; none of one that ended meanwhile, as the engine's helpers do."""
    try:
        return process.environ()
    except psutil.NoSuchProcess:
        return {}


def test_nobody_can_look_into_the_window_even_where_its_engine_is_told_to_let_them(
    filled_home: Path, around: dict[str, str], tmp_path: Path
) -> None:
    """Whatever the core was started with, the window gets of it what has a name."""
    port, loaded = str(free_port()), tmp_path / "loaded"
    (tmp_path / "sitecustomize.py").write_text(
        f"import sys\nwith open({str(loaded)!r}, 'a') as file: print(sys.orig_argv[-1], file=file)", encoding="utf-8"
    )
    told = {
        **dict.fromkeys(("QT_PLUGIN_PATH", "GTK_MODULES", "LD_AUDIT", "GIO_EXTRA_MODULES", "ANTHROPIC_API_KEY"), "x"),
        "PYTHONPATH": str(tmp_path),
        "QTWEBENGINE_REMOTE_DEBUGGING": port,
        "QTWEBENGINE_CHROMIUM_FLAGS": f"--log-level=3 --remote-debugging-port={port}",
        DEBUGGING: "",
    }
    with app(filled_home, {**around, **told}) as running:
        assert any(b"Ctrl+C" in line for line in running.process.stdout)  # the first page is there
        shown = window_processes(running)
        assert ports_of(shown) == []
        found = [mine for each in shown if (mine := environment_of(each))]
        assert found
        for mine in found:
            assert mine.keys() & told.keys() <= {"QTWEBENGINE_CHROMIUM_FLAGS"}  # its own, in its renderers
            assert "remote-debugging" not in mine.get("QTWEBENGINE_CHROMIUM_FLAGS", "")
    assert "window" not in loaded.read_text().split()


@pytest.mark.slow
def test_starts_and_quits_leave_nothing_behind(home: Path, managed_display: str) -> None:
    """Each look and one again; all again in a thorough run; `python -m tests.bench desktop` does it by the hundred."""
    home.parent.mkdir(exist_ok=True)
    around = desktop(home, managed_display)
    looks = [((), around), (("--hidden",), around), ((), {**around, "DISPLAY": "", "BROWSER": "/bin/true"})]
    seen: list[set[str]] = []
    for arguments, session in (looks * 2)[: often(6, 4)]:
        with app(home, session, *arguments) as running:
            everything = Watched([psutil.Process(running.process.pid), *children_of(running)])
            running.process.terminate()
            assert running.process.wait(60) == 0
            assert everything.have_ended()
        assert is_over(home, running.process.pid)
        seen.append({str(each.relative_to(home)) for each in home.rglob("*") if each.suffix != ".template"})
    assert seen[3:] == [seen[2]] * often(3, 1)
    assert list((home.parent / "scratch").iterdir()) == []


def children_of(running: App) -> list[psutil.Process]:
    return psutil.Process(running.process.pid).children(recursive=True)
