"""Sessions that an older BigMind closed by itself, after an upgrade."""

from pathlib import Path

from bigmind.memory.rules import AUTO_CLOSED, AUTO_CLOSED_IMPORTANCE
from tests.memory.living import living
from tests.store.past import past_store
from tests.store.using import raw_connection


def test_what_was_auto_closed_weighs_little_and_tells_its_newest_moment(home: Path) -> None:
    past_store(home, "0005")
    connection = raw_connection(home)
    connection.execute("UPDATE session SET one_liner = ?, importance = 5 WHERE id IN (2, 3, 4)", (AUTO_CLOSED,))
    connection.execute("UPDATE chunk SET content = 'Zwetschgenblau, ' || char(10) || 'the pump. ' || content")
    connection.execute("UPDATE chunk SET content = content || ?", (" It is long." * 20,))
    connection.execute("DELETE FROM chunk WHERE session_id = 3")
    connection.execute("UPDATE chunk SET caution = 'override' WHERE session_id = 4")
    newest = connection.execute("SELECT max(seq) FROM chunk WHERE session_id = 2").fetchone()[0]
    connection.close()
    with living(home) as memory:
        rows = {row.one_liner: row for row in memory("memory_list_sessions").sessions}
        alone, told = sorted(each for each in rows if each.startswith(AUTO_CLOSED))
        assert alone == AUTO_CLOSED
        assert told.startswith(f"{AUTO_CLOSED} Zwetschgenblau, the pump. past chunk {newest} It is long.")
        assert told.endswith(" It is…")
        assert len(told) <= 120
        assert {rows[each].importance for each in (alone, told)} == {AUTO_CLOSED_IMPORTANCE}
        assert rows["session 1"].importance == 3
        found = memory("memory_semantic_search", query="zwetschgenblau", kinds=["session"]).as_text()
        assert rows[told].session_id[:8] in found
