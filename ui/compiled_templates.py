"""Templates that were compiled, kept for the next start where the disk lets us: a page stands without."""

from contextlib import suppress

from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket


class CompiledTemplates(FileSystemBytecodeCache):
    """Those in a folder. On a full disk, or where the folder is gone, each process compiles what it needs."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take in what was kept, if anything."""
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep it, where that can be done."""
        with suppress(OSError):
            super().dump_bytecode(bucket)
