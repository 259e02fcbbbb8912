"""What a command says of an argument that was left out: what it takes, and where such a thing is to be found."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import typer
from typer.core import TyperArgument, TyperCommand

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


class OperationCommand(TyperCommand):
    """A command that says of an argument that was left out what it takes."""

    def parse_args(self, ctx: "Context", args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except typer.BadParameter as error:
            if not error.message and isinstance(error.param, TyperArgument):  # nothing stood there
                where = WHERE.get(getattr(self.callback, "__name__", ""), str)
                error.message = f"{error.param.help or ''} {where()}".strip()
            raise
