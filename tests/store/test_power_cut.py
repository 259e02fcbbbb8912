"""Two hundred power cuts, played from recorded runs of the product: what was acknowledged is there afterwards, whole.

The same cuts of a store that does not sync lose most of it: the control that shows that a loss is noticed.
"""

import random
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from bigmind.core.errors import BigMindError
from bigmind.store.sqlite.driver import sound_driver
from tests.store.judge import Promises, judged
from tests.store.past import first_store
from tests.store.power import (
    MARKER,
    NOTHING_LOST,
    SECTOR,
    Cut,
    Disk,
    File,
    Record,
    Recording,
    built_recorder,
    lay_out,
    some_cut,
)
from tests.store.using import found, keep, opened, raw_connection
from tests.thorough import often

RUNS = {"opened thrice": (3, False), "opened once": (1, False), "upgraded and opened again": (2, True)}
ROUNDS = often(67, 2)
"""Of each run: two hundred and one."""
LEAST = 20
"""What a whole run promises; how much of it a round has, is chance."""
UPGRADES = often(50, 2)
CONTROLS = 30
"""The most power cuts of a control."""
TELLING = often(CONTROLS, 5)
"""Cuts of a control, when they have shown what they are for; else it goes on."""
RECORDED = "tests.store.recorded"
DAMAGED = "not opened, or not closed"

# Writes of more than one row: without its audit row, or an audit row without what it tells of, one is there in part.
IN_PART = """
    SELECT 'without its audit row: ' || uid FROM (
        SELECT uid FROM fact UNION ALL SELECT uid FROM chunk UNION ALL SELECT uid FROM hypothesis
    ) WHERE uid NOT IN (SELECT entity FROM change)
    UNION ALL
    SELECT 'told of, but not there: ' || kind || ' ' || entity FROM change WHERE
        (kind = 'fact' AND entity NOT IN (SELECT uid FROM fact))
        OR (kind = 'chunk' AND entity NOT IN (SELECT uid FROM chunk))
        OR (kind = 'hypothesis' AND entity NOT IN (SELECT uid FROM hypothesis))
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the recorder is preloaded, which is Linux's way"),
]


@pytest.fixture(scope="module")
def recorder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_recorder(tmp_path_factory.mktemp("recorder"))


def promised(lines: list[str], earlier: Promises) -> tuple[Promises, Promises]:
    """What was acknowledged: all of it, and the latest."""
    promises, latest = Promises(), Promises()
    promises.add(earlier)
    for number, line in enumerate(reversed(lines)):
        kind, text = line.split(" ", 1)
        promises.made[kind].append(text)
        if number < 6:
            latest.made[kind].append(text)
    return promises, latest


def problems_after(recording: Recording, moment: int, cut: Cut, dice: random.Random, scratch: Path) -> list[str]:
    """Cut the power after `moment` calls, and start again; what is wrong then."""
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    disk = recording.disk(moment)
    lay_out(disk.after(cut, dice), scratch / "home")
    try:
        problems = judged(scratch / "home", scratch / "copy", *promised(disk.acknowledged, recording.earlier))
        return problems or problems_going_on(scratch / "home")
    except (BigMindError, sound_driver().DatabaseError) as error:
        return [f"{DAMAGED}: {error}"]


def problems_going_on(home: Path) -> list[str]:
    """Open the memory as the server does, with its tokens, and go on writing."""
    with opened(home) as run:
        kept = keep(run, "gonefurther")
        missed = [] if found(run, "gonefurther") == [kept] else ["what was written after the cut is not found"]
    connection = raw_connection(home)
    in_part = [text for (text,) in connection.execute(IN_PART)]
    connection.close()
    return missed + in_part


def part_of(moments: int, number: int, rounds: int, dice: random.Random) -> int:
    """Any moment of the part whose turn it is, so that few rounds come to every part of a run."""
    return dice.randrange(moments * number // rounds, moments * (number + 1) // rounds)


class Recorded(Recording):
    """A run of the product in a home that may hold an older store."""

    def __init__(
        self, recorder: Path, home: Path, seed: int, synchronous: str, *, lives: int = 3, old: bool = False
    ) -> None:
        self.earlier = first_store(home) if old else Promises()
        super().__init__(recorder, home, RECORDED, str(seed), synchronous, str(lives))

    def first(self, name: str) -> int:
        """The number of the first call on a file whose name begins so."""
        return next(number for number, each in enumerate(self.records) if each.name.startswith(name))


@pytest.mark.parametrize(("lives", "old"), RUNS.values(), ids=RUNS)
def test_power_cuts_lose_nothing_that_was_acknowledged(recorder: Path, tmp_path: Path, lives: int, old: bool) -> None:
    seed = random.randrange(2**32)
    dice = random.Random(seed)
    run = Recorded(recorder, tmp_path / "run", seed, "FULL", lives=lives, old=old)
    assert run.is_complete(), f"seed {seed}: the recorder missed a call"
    acknowledged = 0
    for number in range(ROUNDS):
        moment, cut = part_of(len(run.records) + 1, number, ROUNDS, dice), some_cut(dice)
        problems = problems_after(run, moment, cut, dice, tmp_path / "scratch")
        assert problems == [], (
            f"seed {seed}, round {number}, call {moment} of {len(run.records)}, {cut}: {problems[:5]}"
        )
        acknowledged += len(run.disk(moment).acknowledged)
    assert acknowledged
    assert len(run.disk(len(run.records)).acknowledged) > LEAST


def test_power_cuts_and_kills_in_an_upgrade_lose_nothing_and_the_next_start_completes_it(
    recorder: Path, tmp_path: Path
) -> None:
    seed = random.randrange(2**32)
    dice = random.Random(seed)
    run = Recorded(recorder, tmp_path / "run", seed, "FULL", lives=1, old=True)
    upgraded = run.first("tokens/")  # the upgrade comes before the new tokens
    assert upgraded > 50
    for number in range(UPGRADES):
        moment = part_of(upgraded, number, UPGRADES, dice)
        cut = dice.choice((NOTHING_LOST, some_cut(dice)))
        problems = problems_after(run, moment, cut, dice, tmp_path / "scratch")
        assert problems == [], f"seed {seed}, round {number}, call {moment} of {upgraded}, {cut}: {problems[:5]}"


class Outcomes(NamedTuple):
    """How many power cuts there were after the first promise, how many lost something or worse, how many did damage."""

    cuts: int = 0
    failed: int = 0
    damaged: int = 0


def outcomes(run: Recorded, dice: random.Random, scratch: Path, shown: Callable[[Outcomes], bool]) -> Outcomes:
    """Cut until it is `shown`, and no less often than is telling."""
    found, first = Outcomes(), run.first(MARKER) + 2
    while found.cuts < TELLING or (found.cuts < CONTROLS and not shown(found)):
        problems = problems_after(run, dice.randrange(first, len(run.records)), some_cut(dice), dice, scratch)
        damaged = any(" lost: " not in problem and "not found: " not in problem for problem in problems)
        found = Outcomes(found.cuts + 1, found.failed + bool(problems), found.damaged + damaged)
    return found


def test_a_store_that_does_not_sync_loses_and_breaks(recorder: Path, tmp_path: Path) -> None:
    seed = random.randrange(2**32)
    run = Recorded(recorder, tmp_path / "run", seed, "OFF")
    assert run.is_complete()
    found = outcomes(
        run, random.Random(seed), tmp_path / "scratch", lambda found: found.damaged and found.failed > 0.9 * found.cuts
    )
    assert found.failed > 0.9 * found.cuts, f"seed {seed}"
    assert found.damaged, f"seed {seed}"


def test_a_store_that_syncs_only_its_checkpoints_loses_but_does_not_break(recorder: Path, tmp_path: Path) -> None:
    seed = random.randrange(2**32)
    run = Recorded(recorder, tmp_path / "run", seed, "NORMAL")
    found = outcomes(run, random.Random(seed), tmp_path / "scratch", lambda found: found.failed > 0)
    assert found.failed, f"seed {seed}"
    assert found.damaged == 0, f"seed {seed}"


def test_what_was_not_synced_may_go_in_any_part_and_what_was_does_not() -> None:
    dice = random.Random(0)
    file = File()
    file.write(0, b"s" * 3 * SECTOR)
    file.sync()
    file.write(100, b"n" * 2 * SECTOR)
    file.truncate(2 * SECTOR)
    nothing = Cut(0, torn=False, in_order=False)
    assert file.after(nothing, dice) == b"s" * 3 * SECTOR
    assert file.after(NOTHING_LOST, dice) == b"s" * 100 + b"n" * (2 * SECTOR - 100)
    seen = {file.after(Cut(0.5, torn=True, in_order=False), dice) for _ in range(200)}
    assert len(seen) > 8  # three sectors, each old or new, and a truncation
    assert all(content[:100] == b"s" * 100 for content in seen)
    torn = b"s" * SECTOR + b"n" * SECTOR
    assert torn in {content[: 2 * SECTOR] for content in seen}


def test_a_name_is_there_for_sure_only_when_its_folder_was_synced() -> None:
    nothing, dice = Cut(0, torn=False, in_order=False), random.Random(0)
    disk = Disk({"kept": (1, b"old")})
    disk.happen(Record("C", 2, 0, "new", b""))
    disk.happen(Record("W", 2, 0, "new", b"text"))
    disk.happen(Record("S", 2, 0, "new", b""))
    disk.happen(Record("U", 0, 0, "kept", b""))
    assert disk.after(nothing, dice) == {"kept": b"old"}
    disk.happen(Record("F", 9, 0, "", b""))
    assert disk.after(nothing, dice) == {"new": b"text"}
    disk.happen(Record("R", 0, 0, "new", b"kept"))
    assert disk.after(nothing, dice) == {"new": b"text"}
    assert disk.after(NOTHING_LOST, dice) == {"kept": b"text"}


def test_a_promise_that_its_file_did_not_keep_is_noticed(recorder: Path, tmp_path: Path) -> None:
    run = Recorded(recorder, tmp_path / "run", 1, "FULL", lives=1)
    end = len(run.records)
    marker = next(each for each in reversed(run.records) if each.name == MARKER)
    run.records.append(marker._replace(data=b"fact never written\n"))
    dice = random.Random(1)
    assert problems_after(run, end, NOTHING_LOST, dice, tmp_path / "scratch") == []
    assert problems_after(run, end + 1, NOTHING_LOST, dice, tmp_path / "scratch") == ["fact lost: never written"]
