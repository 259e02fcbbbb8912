"""A model for tests that are not about meaning."""


class OneVector:
    """Has the same vector for each question."""

    def __init__(self, vector: bytes) -> None:
        self._vector = vector

    def query(self, text: str) -> bytes:
        del text
        return self._vector
