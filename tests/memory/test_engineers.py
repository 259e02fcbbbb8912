"""What twelve made-up engineers would want at hand stands in the context that their conversations start with.

Run by itself with `-s` it prints the figures of docs/performance.md.
"""

from dataclasses import replace
from pathlib import Path

from tests.memory.colleagues import CLIENT, Engineer, engineers
from tests.memory.living import living
from tests.memory.oracle import o200k
from tests.thorough import spread

TOTAL, RICH = 1_300, 1_100


def start_of(engineer: Engineer, home: Path) -> str:
    """The text that their conversation starts with."""
    with living(home, is_copy=True) as memory:
        with memory.mind.store.write(memory.caller, "test") as work:
            engineer.fill(work)
        caller = replace(memory.caller, client=CLIENT)
        opened = replace(memory, caller=caller)(
            "memory_start_session", project=engineer.project, topics=engineer.topics
        )
        return opened.as_text()


def test_at_least_nine_of_ten_things_are_at_hand_and_never_fewer_than_seven(tmp_path: Path):
    everybody = engineers()
    assert len(everybody) == 12
    found: dict[str, int] = {}
    for engineer in spread(everybody, 4):
        assert len(engineer.at_hand) == 10
        text = start_of(engineer, tmp_path / engineer.name)
        tokens, missing = o200k(text), engineer.missing(text)
        found[engineer.name] = 10 - len(missing)
        print(f"{engineer.name}: {found[engineer.name]} of 10 in {tokens} tokens; not there: {missing or 'nothing'}")
        assert tokens <= TOTAL
        assert tokens >= RICH or not engineer.is_rich
    assert min(found.values()) >= 7
    assert sum(found.values()) / len(found) >= 9
