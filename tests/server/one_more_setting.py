"""Runs BigMind with one row more in settings/rows.py, and prints as JSON what comes of it. Takes a folder.

A process of its own: what is declared by the rows is declared when they are imported.
"""

import importlib.util
import json
import re
import sys
from pathlib import Path
from typing import Any

MODULE = "bigmind.settings.rows"
END = "\n\nFILE_ROWS = "
ROW = """
    volume = Setting(
        "BIGMIND_VOLUME",
        "5",
        "How loud it speaks.",
        wanted_hours,
        form=FormField("backups", "Volume", Control.NUMBER, hint="Not above 11.", placeholder="5", most=11),
    )
"""


def declare() -> None:
    """Import the rows with one more."""
    spec = importlib.util.find_spec(MODULE)
    assert spec is not None
    assert spec.origin is not None
    source = Path(spec.origin).read_text(encoding="utf-8")
    assert source.count(END) == 1
    sys.modules[MODULE] = module = importlib.util.module_from_spec(spec)
    exec(compile(source.replace(END, ROW + END), spec.origin, "exec"), module.__dict__)  # noqa: S102 - our own source


def told(folder: Path) -> dict[str, Any]:
    """What the surfaces say of it."""
    import httpx  # noqa: PLC0415 - after the row is declared, as all of these
    import typer  # noqa: PLC0415
    from typer.testing import CliRunner  # noqa: PLC0415

    from bigmind.cli.commands import add_operations  # noqa: PLC0415
    from bigmind.cli.operation_commands.command_records import recorded  # noqa: PLC0415
    from bigmind.core.operation import Surface  # noqa: PLC0415
    from bigmind.paths import data_folder  # noqa: PLC0415
    from bigmind.settings.live import LiveSettings  # noqa: PLC0415
    from bigmind.settings.precedence import read_settings  # noqa: PLC0415
    from bigmind.wiring import catalogue  # noqa: PLC0415
    from tests.ui.serving import opened, serving  # noqa: PLC0415

    home = folder / "home"
    with opened(home) as (mind, caller), serving(mind, caller) as server:
        with httpx.Client(base_url=server.url, trust_env=False, timeout=60) as client:
            client.get(server.link())
            page = client.get("/settings").text
            token = re.findall(r'name="form_token" value="([0-9a-f]{64})"', page)[0]
            saved = client.post("/actions/settings_change", data={"form_token": token, "volume": "11"})
            refused = client.post("/actions/settings_change", data={"form_token": token, "volume": "loud"})
            after = client.get("/settings").text
        shown = next(each for each in server.call("settings_show").settings if each.name == "volume")
    cli = typer.Typer()
    add_operations(cli, data_folder, records=recorded(catalogue().on(Surface.CLI)))
    environment = {"BIGMIND_HOME": str(home), "BIGMIND_VOLUME": "7"}
    live = LiveSettings(home, {})
    return {
        "help": CliRunner().invoke(cli, ["settings", "change", "--help"], env={"COLUMNS": "200"}).output,
        "form": page,
        "saved": saved.status_code,
        "refused": [refused.status_code, refused.text],
        "file": (home / "settings.toml").read_text(encoding="utf-8"),
        "form_after": after,
        "shown": shown.as_text(),
        "read": [getattr(live.now(), "volume"), getattr(read_settings(environment), "volume")],  # noqa: B009
    }


if __name__ == "__main__":
    declare()
    print(json.dumps(told(Path(sys.argv[1]))))
