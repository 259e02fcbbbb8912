"""What of a longer text stands for it in one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigmind.text.headline import headline, says_something

LONGEST = 120
MERGE = "You are welcome to merge it once two people of the team looked at it, as the rule of Lisbon says since May."

TEXTS = {
    "Done!\n\nI moved the settlement to noon. Anything else?": "I moved the settlement to noon.",
    "## Summary\n\n- **Moved** the `settlement` to noon\n- Tests pass": "Moved the settlement to noon",
    "```python\nprint('what was decided here')\n```\nIt prints what was decided.": "It prints what was decided.",
    "1. See [the plan](https://example.org/plan) for all of it": "See the plan for all of it",
    "On Fridays.": "On Fridays.",
    "Fertig. Die Abrechnung läuft jetzt mittags in Lissabon.": "Die Abrechnung läuft jetzt mittags in Lissabon.",
    "完成。结算现在中午在里斯本运行。测试通过。": "结算现在中午在里斯本运行。",
    "**Summary**\n\n- a\n- b": "a; b",
    "## Summary\n\n- Tests pass.\n- Version bumped": "Tests pass. Version bumped",
    "**What I changed today:**\n\nThe settlement runs at noon.": "The settlement runs at noon.",
    "I fixed these three bugs:\n- a\n- b": "I fixed these three bugs:",
    "## The settlement runs at noon\n\n- a": "The settlement runs at noon",
    "**Summary**": "Summary",
    "**We take the blue pump.**\n\nIt is better than the red one.": "We take the blue pump.",
    "Done. Tests pass.": "Done. Tests pass.",
    "Great, let me know if you need anything else! The valve is on the left now.": "The valve is on the left now.",
    "Gern geschehen! Sag einfach Bescheid, wenn noch etwas fehlt. Die Pumpe läuft wieder wie am Montag.": (
        "Die Pumpe läuft wieder wie am Montag."
    ),
    "You're welcome! Have a nice weekend, all of you.": "You're welcome! Have a nice weekend, all of you.",
    f"{MERGE} Bye.": MERGE,
    "```\nonly code\n```": "Code: only code",
    "```py\n\nx = 1\ny = 2\n```": "Code: x = 1",
    "Done.\n```py\nx = 1\n```": "Done.",
    "```\n```": "``` ```",
    "": "",
}


@pytest.mark.parametrize(("text", "expected"), TEXTS.items())
def test_it_is_the_first_sentence_that_says_something(text: str, expected: str) -> None:
    assert headline(text, LONGEST) == expected


TOLD = (
    "Thanks, the migration went through and all 42 tests pass.",
    "Feel free to merge: CI is green and the changelog is written.",
    "No problem was found in the payment logs of last night.",
    "You're welcome to drop the column in May.",
    "Have a good backup before running this migration.",
    "Anything else that touches auth.py needs a second review.",
    "Let me know whether to drop the legacy table before Friday.",
    "Please let me know if the staging key should be rotated.",
    "Viel Erfolg beim Test; der Fehler lag im Cache.",
    "Sag Bescheid, ob ich die Spalte löschen soll.",
    "Melde dich ab und wieder an, dann gilt die neue Rolle.",
    "De rien, le bug venait du fuseau horaire.",
    "Dis-moi si la clé doit être changée avant lundi.",
)
COURTEOUS = (
    "You're welcome, and let me know if you need anything else.",
    "Let me know if you'd like me to go on with the second part.",
    "Feel free to ask if anything is unclear.",
    "No problem at all, happy to help!",
    "Is there anything else that I can do for you today?",
    "Have a great rest of your day!",
    "Have a wonderful Sunday!",
    "Let me know if the tests pass on your side.",
    "Gerne, melde dich jederzeit wieder!",
    "Sag einfach Bescheid, wenn noch etwas fehlt.",
    "N'hésitez pas si vous avez d'autres questions.",
    "Dis-moi si tu as besoin d'autre chose.",
)


@pytest.mark.parametrize("sentence", TOLD)
def test_a_sentence_that_only_begins_as_a_courtesy_says_something(sentence: str) -> None:
    assert says_something(sentence)


@pytest.mark.parametrize("sentence", COURTEOUS)
def test_a_courtesy_says_nothing(sentence: str) -> None:
    assert not says_something(sentence)


@given(st.text(alphabet=st.sampled_from("aé完。.!? \n`#*-~[](1)\t"), max_size=400))
def test_it_is_one_line_of_what_was_said(text: str) -> None:
    line = headline(text, LONGEST)
    assert len(line) <= LONGEST
    assert "\n" not in line
    assert bool(line) == bool(text.strip())
