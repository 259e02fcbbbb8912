"""How beliefs turned out: of those that were said to be so and so sure, how many came true."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

from sqlalchemy import func
from sqlmodel import col, select

from bigmind.memory.tables import Hypothesis
from bigmind.store.work import Work

LEAST_RESOLVED = 10
"""Of fewer, nothing can be said."""

BINS = 5
SURE_OF_RANGE = 1.645
"""Standard deviations on each side of a range that holds the truth nine times in ten."""


@dataclass(frozen=True, slots=True)
class CalibrationShare:
    """How many of so many came true, and how sure their authors were on average.

    Attributes:
        said: the mean of what was said, 0 to 1.
        right: how many came true.
        total: of how many, at least 1.
        lowest: the least share of all such beliefs that these few leave likely (nine times in ten).
        highest: the greatest.
    """

    said: float
    right: int
    total: int
    lowest: float
    highest: float

    @property
    def came_true(self) -> float:
        """The part that came true."""
        return self.right / self.total


@dataclass(frozen=True, slots=True)
class Bin:
    """The beliefs that were said with a confidence of `lower` up to `upper`, both 0 to 1; `share` is None of none."""

    lower: float
    upper: float
    share: CalibrationShare | None


@dataclass(frozen=True, slots=True)
class Calibration:
    """How the caller's beliefs turned out; `whole` and `bins` are of those that were confirmed or refuted."""

    resolved: int
    whole: CalibrationShare | None
    bins: Sequence[Bin]

    @property
    def is_enough(self) -> bool:
        """Whether there are enough of them to say anything."""
        return self.resolved >= LEAST_RESOLVED


def calibration(work: Work) -> Calibration:
    """How the caller's beliefs turned out; what was given up says nothing."""
    counted = (
        select(Hypothesis.confidence, Hypothesis.status, func.count())
        .where(Hypothesis.user_id == work.caller.user_id, col(Hypothesis.status).in_(("confirmed", "refuted")))
        .group_by(col(Hypothesis.confidence), Hypothesis.status)
    )
    return calibrated((said, status == "confirmed", times) for said, status, times in work.session.exec(counted))


def calibrated(outcomes: Iterable[tuple[float, bool, int]]) -> Calibration:
    """The same of what was said, whether it came true, and how often."""
    told = list(outcomes)
    by_bin: list[list[tuple[float, bool, int]]] = [[] for _ in range(BINS)]
    for each in told:
        by_bin[min(int(each[0] * BINS + 1e-9), BINS - 1)].append(each)
    bins = [Bin(place / BINS, (place + 1) / BINS, _share(each)) for place, each in enumerate(by_bin)]
    return Calibration(sum(times for _, _, times in told), _share(told), bins)


def _share(outcomes: Sequence[tuple[float, bool, int]]) -> CalibrationShare | None:
    total = sum(times for _, _, times in outcomes)
    if not total:
        return None
    right = sum(times for _, is_right, times in outcomes if is_right)
    said = sum(confidence * times for confidence, _, times in outcomes) / total
    return CalibrationShare(said, right, total, *_likely(right, total))


def _likely(right: int, total: int) -> tuple[float, float]:
    """Wilson's interval, which holds for few as well (https://doi.org/10.1080/01621459.1927.10502953)."""
    squared = SURE_OF_RANGE**2
    middle = (right + squared / 2) / (total + squared)
    spread = SURE_OF_RANGE * sqrt(right * (total - right) / total + squared / 4) / (total + squared)
    return max(0.0, middle - spread), min(1.0, middle + spread)
