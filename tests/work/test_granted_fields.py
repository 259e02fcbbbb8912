"""What only the engine grants is no field of an item (work.md, "Who acts")."""

from tests.work.office import TITLE, Office


def test_what_the_engine_grants_is_no_field(office: Office) -> None:
    cursor, claimed = office.agent(), office.task()
    cursor.claim(claimed)
    granted = {
        "claimed_by": "me",
        "lease_until": "2099",
        "human_confirmed": True,
        "state": "complete",
        "self_reviewed": 0,
    }
    for refused in (
        cursor.refuses("work_update_dna", slug=claimed, fields={**granted, "note": "fine"}),
        cursor.refuses("work_transition", slug=claimed, to="blocked", fields={**granted, "blocked_reason": "x"}),
        cursor.refuses("work_create_task", title=TITLE, dna={**granted, "note": "fine"}),
    ):
        assert {each.field for each in refused.problems} == {f"fields.{name}" for name in granted}
        assert "BigMind itself keeps who holds an item" in str(refused)
    office.run('UPDATE work_item SET dna = \'{"state": "complete"}\' WHERE slug = :slug', slug=claimed)
    cursor("work_update_dna", slug=claimed, fields={"state": None})  # an earlier version let it in
    assert office.item(claimed).dna == {}
