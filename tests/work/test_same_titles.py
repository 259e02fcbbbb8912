"""An item with the title of an open one is made, and says so: a call that was made twice would leave two unseen."""

import pytest

from bigmind.work.rules import slug_of
from tests.work.office import TITLE, Office


def note(office: Office, **more: object) -> str:
    return office.agent("planner")("work_create_task", title=TITLE, type="solo", **more).note


def test_the_open_one_is_named(office: Office):
    first = office.task(project="pay")
    told = f"{first} has the same title and is pending: if it is the same work, go on with that one."
    assert note(office, project="pay") == told
    assert note(office, project="pay", slug="another") == told
    answer = office.agent("planner")("work_create_task", title=TITLE.upper(), type="solo", project="pay")
    assert told in answer.in_words()


def test_of_another_project_none_is(office: Office):
    office.task(project="pay")
    assert note(office, project="shop") == ""


def test_a_slug_is_taken_as_answers_show_it(office: Office):
    slug = office.task()
    assert office.memory("work_get_task", slug=f"`{slug}`").slug == slug


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Überprüfung der Gebühren", "uberprufung-der-gebuhren"),
        ("Arrondir l’écart à Orléans", "arrondir-l-ecart-a-orleans"),
        ("Größe für Łódź und Århus", "grosse-fur-lodz-und-arhus"),
        ("Đặt lại mật khẩu", "dat-lai-mat-khau"),
        ("退款四舍五入", "退款四舍五入"),
    ],
)
def test_a_letter_keeps_its_place_in_the_slug_without_its_accent(title: str, slug: str):
    assert slug_of(title) == slug
