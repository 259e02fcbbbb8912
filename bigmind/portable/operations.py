"""Export and import, as they are offered to the outside."""

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from bigmind.core.lazy_module import LazyModule
from bigmind.core.operation import Effect
from bigmind.operations.catalogue import operation
from bigmind.operations.inputs import FilePath
from bigmind.portable.answers import Exported, Imported
from bigmind.portable.outcome import ImportMode
from bigmind.store.access import Access

if TYPE_CHECKING:
    from bigmind.portable import service
else:
    service = LazyModule("bigmind.portable.service")


@operation("Export the memory", Effect.WRITE, takes_access=True, while_paused=True, masks=False)
def memory_export(
    access: Access,
    output_path: Annotated[FilePath, Field(description="A new .json file; the documents folder, if left out.")]
    | None = None,
) -> Exported:
    """Call this when the user wants their memory as a file: everything of theirs as JSON, in a new file."""
    return service.export_to(access, output_path)


@operation("Import a memory", Effect.DESTRUCTIVE, takes_access=True, masks=False, idempotent=True)
def memory_import(
    access: Access,
    path: Annotated[FilePath, Field(description="An export, or a file of the older BigMind (memory.db).")],
    mode: Annotated[ImportMode, Field(description="replace deletes what is not in the file; a person only.")] = "merge",
    dry_run: Annotated[bool, Field(description="Only say what would change.")] = False,
) -> Imported:
    """Call this when the user wants to bring in an export. Run it with dry_run first and show what would change.

    merge adds what is new; a person's replaces the older. A bad file changes nothing.
    """
    return service.import_from(access, path, mode, dry_run=dry_run)


OPERATIONS = (memory_export, memory_import)
