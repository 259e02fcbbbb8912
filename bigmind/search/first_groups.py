"""Which hits need not be told, where no more than so many groups of them are shown. Pure."""

GroupKey = tuple[str, int]
"""The kind and key of the thing that a hit is shown under."""


def group_of(kind: str, key: int, session: int) -> GroupKey:
    """What a hit is shown under: a session for itself and its moments, any other thing for itself."""
    return ("session", session) if kind in {"chunk", "session"} else (kind, key)


class FirstGroups:
    """The groups of the hits that came so far, best first, and whether one of these answers well."""

    def __init__(self, most: int) -> None:
        """Tell of so many groups; 0: of all."""
        self._most = most
        self._groups = set[GroupKey]()
        self._has_good = False

    def leaves_out(self, group: GroupKey) -> bool:
        """Whether nothing that stands in it is told any more: neither in one of the first, nor the first good one."""
        return self._has_good and 0 < self._most == len(self._groups) and group not in self._groups

    def take(self, group: GroupKey, *, is_good: bool) -> None:
        """Note a hit."""
        self._has_good = self._has_good or is_good
        if len(self._groups) < self._most:
            self._groups.add(group)
