"""What is said of a command that there is not: the commands that may have been meant, whole, to be typed."""

from collections.abc import Callable, Collection, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from typer._click.core import Context

HELP = "help"
"""Stands for `-h`, as with other programs: `bigmind help memory`, `bigmind memory help`."""
MOST_TOLD = 5
ALIKE = 0.7
"""From which ratio on two words are the same, written otherwise."""
ALIKE_ELSEWHERE = 0.88
"""The same for commands of other groups: of a word of five letters, one is missing or too many."""
LONGEST_SAID = 60
"""Nothing is like a longer word, and it is not said whole."""


def with_help(words: Sequence[str]) -> list[str]:
    """What was typed behind `bigmind`, with a leading `help` in the place where it asks for that of a command."""
    return [*words[1:], "--help"] if words[:1] == [HELP] else [*words]


def suggesting(every: Callable[[], Collection[str]]) -> type[TyperGroup]:
    """A kind of group that tells which commands a word may mean that names none: also those of other groups.

    Args:
        every: tells all commands that are in groups, as they are typed.
    """

    class SuggestingGroup(TyperGroup):
        def resolve_command(self, ctx: "Context", args: list[str]) -> Any:
            word = args[0]
            if not ctx.resilient_parsing and not word.startswith("-") and self.get_command(ctx, word) is None:
                if word == HELP:
                    typer.echo(ctx.get_help())
                    ctx.exit()
                root: Any = ctx.find_root().command
                group = ctx.info_name if ctx.parent else None
                ctx.fail(_said(word, meant(word, {*root.commands, *every()}, group), group))
            return super().resolve_command(ctx, args)

    return SuggestingGroup


def meant(word: str, commands: Collection[str], group: str | None) -> list[str]:
    """Which commands a word may mean: those of its own group first, and those that have the very word in their name.

    Args:
        word: what was typed.
        commands: as they are typed, with their group.
        group: in which it was typed; None where it stood first.
    """
    if len(word) > LONGEST_SAID:
        return []
    ratios = {each: max(_alike(word.lower(), part) for part in _words(each)) for each in commands}
    own = {each for each in commands if each.rpartition(" ")[0] == (group or "")}
    found = [each for each, ratio in ratios.items() if ratio >= (ALIKE if each in own else ALIKE_ELSEWHERE)]
    found.sort(key=lambda each: (each not in own, -ratios[each], each))
    return found[:MOST_TOLD]


def _words(command: str) -> list[str]:
    """The words of a command: a group has one, what is in a group those of its own name."""
    name = command.rsplit(maxsplit=1)[-1]
    return [name, *name.split("-")]


def _alike(word: str, part: str) -> float:
    return 1.0 if word.rstrip("s") == part.rstrip("s") else SequenceMatcher(None, word, part).ratio() - 0.01


def _said(word: str, commands: Collection[str], group: str | None) -> str:
    shown = word if len(word) <= LONGEST_SAID else f"{word[:LONGEST_SAID]}…"
    there = ", ".join(f"`bigmind {each}`" for each in commands)
    listing = f"bigmind {group} -h" if group else "bigmind -h"
    return f"No such command {shown!r}. " + (f"Did you mean {there}?" if there else f"`{listing}` shows what there is.")
