"""Files that BigMind could write and their client would never see: those that Windows puts into an app's own folder."""

from collections.abc import Callable, Sequence

from bigmind.clients.files.changes import FileChange
from bigmind.clients.files.locations import Places, System
from bigmind.core.errors import BigMindError, Code
from bigmind.disk.app_packages import keeping_package


def refuse_unseen(
    changes: Sequence[FileChange], places: Places, package: Callable[[], str] = keeping_package
) -> Sequence[FileChange]:
    """The changes, none of which is of such a file.

    Raises:
        BigMindError: `unavailable`.
    """
    if places.system is not System.WINDOWS:
        return changes
    roots = places.application_data, places.local_application_data
    unseen = [each.path for each in changes if any(each.path.is_relative_to(root) for root in roots)]
    if unseen and (name := package()):
        raise BigMindError(
            Code.UNAVAILABLE,
            f"BigMind runs as a part of the app {name}, and Windows keeps what it writes to {unseen[0]} in a folder of "
            "that app, where no other program sees it.",
            "Use the Python of python.org in place of the Microsoft Store's, or BigMind's installer, and start BigMind "
            "from a terminal.",
        )
    return changes
