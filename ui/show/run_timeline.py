"""The course of a protocol run, drawn: a lane for each gate, time from left to right."""

from collections.abc import Sequence
from dataclasses import dataclass

from bigmind.protocol.document.protocol_record import Phase
from bigmind.trust.run_course import CourseMark, RunCourse

LEFT, RIGHT, TOP, LANE = 150, 14, 10, 24
WIDTH = 640


@dataclass(frozen=True, slots=True)
class DrawnMark:
    """A mark: where it stands, and what it is."""

    x: float
    y: float
    mark: CourseMark


@dataclass(frozen=True, slots=True)
class Lane:
    """A gate's lane: its name, its height, and whether the gate passed in the end."""

    phase: Phase
    y: int
    passed: bool


@dataclass(frozen=True, slots=True)
class RunTimeline:
    """The picture of a course."""

    lanes: Sequence[Lane]
    marks: Sequence[DrawnMark]
    described: str
    width: int = WIDTH
    height: int = TOP * 2 + LANE * len(Phase)
    left: int = LEFT
    right: int = WIDTH - RIGHT


def run_timeline(course: RunCourse) -> RunTimeline:
    """Where each mark stands."""
    began, span = course.run.created_at, max(1.0, (course.until - course.run.created_at).total_seconds())
    heights = {phase: TOP + LANE // 2 + LANE * place for place, phase in enumerate(Phase)}

    def x(each: CourseMark) -> float:
        share = (each.at - began).total_seconds() / span
        return round(LEFT + (WIDTH - LEFT - RIGHT) * min(1.0, max(0.0, share)), 1)

    lanes = [Lane(phase, heights[phase], phase.value in course.run.passed) for phase in Phase]
    told = {name: sum(each.happening == name for each in course.marks) for name in ("passed", "refused", "forced")}
    described = ", ".join(f"{number} {name}" for name, number in told.items())
    marks = [DrawnMark(x(each), heights[each.phase], each) for each in course.marks]
    return RunTimeline(lanes, marks, f"Gates of {course.run.name} over time: {described}.")
