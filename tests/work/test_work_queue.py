"""What an agent takes up next: its own, what has a yes, lapsed claims, what waits longest; and narrowed down."""

from tests.work.office import Office


def test_its_own_comes_first_then_a_claim_that_lapsed_then_what_waits_longest(office: Office):
    cursor, codex = office.agent("cursor"), office.agent("codex")
    waits = office.task("Rotate the signing keys", project="pay")
    office.task("Print the tariff sheet", project="pay")
    assert cursor("work_next", project="pay").item.slug == waits
    lapsed = office.task("Drop stale sessions", project="pay")
    codex.claim(lapsed, "Drop stale sessions")
    assert cursor("work_next", project="pay").item.slug == waits
    office.forward(days=3)
    assert cursor("work_next", project="pay").item.slug == lapsed
    own = office.task("Round refunds to the cent", project="ship")
    cursor.claim(own)
    assert cursor("work_next").item.slug == own
    assert cursor("work_next", role="dev").item.slug == own
    assert cursor("work_next", project="pay", role="dev").item.slug == lapsed
    assert codex("work_next").item.slug == lapsed
    assert codex("work_next", project="ship").item is None
    assert cursor("work_next", project="nowhere").item is None


def test_what_waits_for_another_or_is_held_is_passed_over_until_it_is_free(office: Office):
    cursor = office.agent("cursor")
    first = office.task("Rotate the signing keys")
    behind = office.task("Print the tariff sheet", depends_on=[first])
    office.forward(hours=1)
    later = office.task("Drop stale sessions")
    office.agent("codex").claim(first, "Rotate the signing keys")
    assert cursor("work_next").item.slug == later
    office.run("UPDATE work_item SET state = 'complete', holder = '' WHERE slug = :slug", slug=first)
    assert cursor("work_next").item.slug == behind


def test_what_a_person_said_yes_to_comes_before_what_waits_while_the_yes_holds(office: Office):
    cursor, codex = office.agent("cursor"), office.agent("codex")
    reviewed = office.task("Round refunds to the cent", project="pay")
    waits = office.task("Print the tariff sheet", project="pay")
    codex.claim(reviewed)
    codex.learn()
    codex.moves(reviewed, "review")
    assert cursor("work_next", project="pay").item.slug == waits
    office.person("work_confirm", slug=reviewed, revision=office.item(reviewed).revision)
    assert cursor("work_next", project="pay").item.slug == reviewed
    assert cursor("work_next", project="elsewhere").item is None
    office.person("work_withdraw", slug=reviewed)
    assert cursor("work_next", project="pay").item.slug == waits


def test_what_only_waits_for_a_yes_hides_nothing_that_can_be_done(office: Office):
    """A liaison was given the same design until a person came, and all that waited behind it stood still."""
    author, liaison = office.agent("codex"), office.agent("cursor")
    design = office.task("Round refunds to the cent", "task")
    author.moves(design, "ready", role="pdsa")
    author.claim(design)
    author.learn()
    author.moves(design, "approval", fields={"pdsa_ref": "docs/design.md"})
    assert liaison("work_next", role="liaison").item.slug == design
    office.forward(hours=1)
    planned = office.task("Print the tariff sheet", "task")
    assert liaison("work_next", role="liaison").item.slug == planned
    office.person("work_confirm", slug=design, revision=office.item(design).revision)
    assert liaison("work_next", role="liaison").item.slug == design


def test_what_has_to_be_written_before_a_yes_comes_early_and_once_it_is_last(office: Office):
    """Written after the yes, it would take it back."""
    liaison = office.agent("cursor")
    reviewed, second = office.task("Round refunds to the cent", "task"), office.task("Drop stale sessions", "task")
    planned = office.task("Print the tariff sheet", "task")
    office.run("UPDATE work_item SET state = 'review', role = 'liaison' WHERE slug != :planned", planned=planned)
    office.run('UPDATE work_item SET dna = \'{"abstract_ref": "docs/a.md"}\' WHERE slug = :slug', slug=reviewed)
    assert liaison("work_next", role="liaison").item.slug == second
    office.run('UPDATE work_item SET dna = \'{"abstract_ref": "docs/b.md"}\' WHERE slug = :slug', slug=second)
    assert liaison("work_next", role="liaison").item.slug == planned


def test_what_is_of_the_callers_project_or_of_none_comes_before_what_is_of_others(office: Office):
    cursor = office.agent("cursor")
    longest = office.task("Rotate the signing keys", project="pay")
    of_none = office.task("Print the tariff sheet")
    here = office.task("Drop stale sessions", project="zoo")
    cursor("memory_start_session", project="zoo")
    assert cursor("work_next").item.slug == of_none
    cursor.claim(of_none, "Print the tariff sheet")
    office.agent("codex")("memory_start_session", project="zoo")
    assert office.agent("codex")("work_next").item.slug == here
    assert cursor("work_next", project="pay").item.slug == longest
    assert cursor("work_next").item.slug == of_none
    office.run(f"DELETE FROM work_item WHERE slug IN ('{of_none}', '{here}')")
    assert cursor("work_next").item.slug == longest


def test_the_project_of_an_item_is_named_where_its_reader_works_elsewhere(office: Office):
    cursor = office.agent("cursor")
    slug = office.task("Rotate the signing keys", project="pay · [all]")
    named = f"`{slug}` Rotate the signing keys · project pay - (all) · solo"
    assert named in cursor("work_get_task", slug=slug).as_text()
    cursor("memory_start_session", project="zoo")
    assert named in cursor("work_next").as_text()
    assert named in cursor.move(slug, "active").as_text()
    there = office.agent("codex")
    there("memory_start_session", project="pay · [all]")
    assert "project" not in there("work_next").as_text()


def test_a_role_or_a_state_that_there_is_not_is_refused_with_those_that_there_are(office: Office):
    cursor = office.agent("cursor")
    slug = office.task("Rotate the signing keys")
    for operation, given in (
        ("work_next", {"role": "cook"}),
        ("work_list_tasks", {"role": "cook"}),
        ("work_list_tasks", {"state": "nope"}),
    ):
        [problem] = cursor.refuses(operation, **given).problems
        assert problem.field in given
        assert ("pdsa, dev" if "role" in given else "pending, ready") in problem.expected
    office.run("UPDATE work_item SET state = 'salted', role = 'cook' WHERE slug = :slug", slug=slug)
    assert [each.slug for each in cursor("work_list_tasks", role="cook", state="salted").tasks] == [slug]
