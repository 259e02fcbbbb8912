"""Which hits need not be told, where no more than so many groups of them are shown. Pure."""

GroupKey = tuple[str, int]
"""The kind and key of the thing that a hit is shown under."""


def group_of(kind: str, key: int, session: int) -> GroupKey:
    """What a hit is shown under: a session for itself and its moments, any other thing for itself."""
    return ("session", session) if kind in {"chunk", "session"} else (kind, key)


class FirstGroups:
    """The groups of the hits that came so far, best first.

    Attributes:
        are_all: whether as many came as are told of, and one that answers well: what stands in others is left out then.
    """

    def __init__(self, most: int) -> None:
        """Tell of so many groups; 0: of all."""
        self.are_all = False
        self._most, self._has_good = most, False
        self._groups = set[GroupKey]()

    def __contains__(self, group: GroupKey) -> bool:
        """Whether it is one of them."""
        return group in self._groups

    def take(self, group: GroupKey, *, is_good: bool) -> None:
        """Note a hit, and whether it answers well."""
        self._has_good = self._has_good or is_good
        if len(self._groups) < self._most:
            self._groups.add(group)
        self.are_all = self._has_good and 0 < self._most == len(self._groups)
