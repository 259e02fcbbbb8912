"""What a command says of an argument that was left out, or that it does not take: what it takes."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import typer
from typer.core import TyperArgument, TyperCommand, TyperOption

from bigmind.core.lazy_module import LazyModule

if TYPE_CHECKING:
    from typer._click.core import Context

    from bigmind.portable import transfer_paths
else:
    transfer_paths = LazyModule("bigmind.portable.transfer_paths")


def _of_exports() -> str:
    folder = transfer_paths.documents_folder()
    example = folder / "bigmind_export_20260330_091500.json"
    return f'Unless you chose another place, exports are in {folder}. Example: bigmind memory import "{example}"'


WHERE: Mapping[str, Callable[[], str]] = {"memory_import": _of_exports}
"""By operation: where what it takes is to be found."""


MOST_OPTIONS = 8
OF_ALL = frozenset(("--json", "--yes", "--agent", "--help"))
"""Options that say nothing of what a command does."""


def _not_taken(command: TyperCommand, left: Sequence[str]) -> str:
    """That words stand where the command takes none, and its options, where it has any."""
    told = f"{' '.join(left)!r} is more than it takes."
    options = [each.opts[0] for each in command.params if isinstance(each, TyperOption) and each.opts[0] not in OF_ALL]
    if not options:
        return told
    more = ", …" if len(options) > MOST_OPTIONS else ""
    return f"{told} Its options: {', '.join(options[:MOST_OPTIONS])}{more}."


class OperationCommand(TyperCommand):
    """A command that says of an argument that was left out, or is one too many, what it takes."""

    def parse_args(self, ctx: "Context", args: list[str]) -> list[str]:
        ctx.allow_extra_args = True  # what is left is refused below, in words that lead on
        try:
            left = super().parse_args(ctx, args)
        except typer.BadParameter as error:
            if not error.message and isinstance(error.param, TyperArgument):  # nothing stood there
                where = WHERE.get(getattr(self.callback, "__name__", ""), str)
                error.message = f"{error.param.help or ''} {where()}".strip()
            raise
        if left and not ctx.resilient_parsing:
            ctx.fail(_not_taken(self, left))
        return left
