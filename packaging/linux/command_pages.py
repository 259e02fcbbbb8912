"""Man pages and shell completion, made from the command line's own records: what `--help` says is what they say.

Typer brings a copy of Click of its own, for which there is no maker of man pages.
"""

import gzip
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main
from typer.completion import get_completion_script

from app.process_commands import cli
from bigmind import VERSION
from bigmind.cli.client_commands import add_client_commands
from bigmind.cli.commands import add_operations
from bigmind.cli.protocol_commands import add_protocol_commands
from bigmind.cli.usage_command import add_usage_command

NAME = "bigmind"
VARIABLE = "_BIGMIND_COMPLETE"
COMPLETIONS = {
    "bash": "bash-completion/completions/bigmind",
    "zsh": "zsh/site-functions/_bigmind",
    "fish": "fish/vendor_completions.d/bigmind.fish",
}


def write_command_pages(share: Path) -> None:
    """Write them where systems look, under `share`."""
    for name, page in man_pages():
        file = share / "man/man1" / f"{name}.1.gz"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(gzip.compress(page.encode(), mtime=0))
    for shell, place in COMPLETIONS.items():
        (share / place).parent.mkdir(parents=True, exist_ok=True)
        script = get_completion_script(prog_name=NAME, complete_var=VARIABLE, shell=shell)
        (share / place).write_text(f"{script}\n", encoding="utf-8")


def man_pages() -> Iterator[tuple[str, str]]:
    """A page for the command and one for each of its commands: the name, and the page."""
    whole = command_line()
    listed = "".join(
        f".TP\n\\fB{NAME}-{name}\\fR(1)\n{escaped(about(each))}\n" for name, each in whole.commands.items()
    )
    files = "~/.local/share/BigMind holds the memory; BIGMIND_HOME names another folder."
    yield NAME, page(NAME, about(whole), f".SH COMMANDS\n{listed}.SH FILES\n{escaped(files)}\n")
    for name, each in whole.commands.items():
        yield f"{NAME}-{name}", page(f"{NAME}-{name}", about(each), body(each, f"{NAME} {name}"))


def command_line() -> Any:
    """The whole command line, with every command of every group."""
    groups = add_operations(cli, Path, None)
    add_client_commands(groups["clients"], Path)
    add_usage_command(groups["usage"], Path)
    add_protocol_commands(groups["protocol"], Path)
    return typer.main.get_command(cli)


def page(name: str, summary: str, content: str) -> str:
    """A man page, by man(7)."""
    head = f'.TH "{name.upper()}" "1" "" "BigMind {VERSION}" "BigMind"\n.SH NAME\n{name} \\- {escaped(summary)}\n'
    return f"{head}{content}.SH SEE ALSO\n.BR {NAME} (1)\n"


def body(command: Any, called: str) -> str:
    """What a command does and takes; of a group, each of its commands."""
    if commands := getattr(command, "commands", None):
        parts = [f".SS {called} {name}\n{described(each, f'{called} {name}')}" for name, each in commands.items()]
        return ".SH COMMANDS\n" + "".join(parts)
    return ".SH DESCRIPTION\n" + described(command, called)


def described(command: Any, called: str) -> str:
    """The usage, the help and the options of one command."""
    context = command.context_class(command, info_name=called)
    usage = " ".join(command.collect_usage_pieces(context))
    records = [each.get_help_record(context) for each in command.get_params(context)]
    options = "".join(f".TP\n\\fB{escaped(name)}\\fR\n{escaped(told) or '-'}\n" for name, told in filter(None, records))
    return f".B {escaped(called)}\n{escaped(usage)}\n.PP\n{escaped(command.help or '')}\n{options}"


def about(command: Any) -> str:
    """What a command does, in a line."""
    return (command.short_help or (command.help or "").partition("\n")[0]).strip()


def escaped(text: str) -> str:
    """Words as roff shows them: no line of them is an order."""
    plain = re.sub(r"\[/?[a-z ]+\]", "", " ".join(text.split()))
    lines = textwrap.wrap(
        plain.replace("\\", "\\e").replace("-", "\\-"), 110, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in lines)
