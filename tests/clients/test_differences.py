"""What is told of a change in a file: always the change itself, never a secret, and how much more there is."""

import json
from difflib import SequenceMatcher
from pathlib import Path

import pytest

from bigmind.clients.files import diff
from bigmind.clients.files.diff import LONGEST_LINE, MOST_CHARACTERS, MOST_PAIRS, difference, is_in_pieces

PATH = Path("settings.json")
KEY = "sk-proj-verysecretvalue0123456789"
TOKEN = "bm_" + "a1B2" * 8


def told(before, after):
    """The lines below the names, of texts."""
    old, new = (None if text is None else text.encode() for text in (before, after))
    return difference(PATH, old, new).splitlines()[2:]


def signed(lines, sign):
    return [line[1:] for line in lines if line.startswith(sign)]


def test_a_change_is_told_with_three_lines_around_it_and_its_place():
    before = "".join(f"line {number}\n" for number in range(1, 30))
    after = before.replace("line 10\n", "line ten\n").replace("line 25\n", "")
    assert told(before, after) == [
        "@@ -7,7 +7,7 @@",
        *(" line 7", " line 8", " line 9", "-line 10", "+line ten", " line 11", " line 12", " line 13"),
        "@@ -22,7 +22,6 @@",
        *(" line 22", " line 23", " line 24", "-line 25", " line 26", " line 27", " line 28"),
    ]


def test_a_file_that_comes_or_goes_is_told_whole_and_equal_files_are_not_told():
    assert difference(PATH, None, b"a\nb\n") == "--- /dev/null\n+++ settings.json\n@@ -0,0 +1,2 @@\n+a\n+b\n"
    assert difference(PATH, b"a\nb\n", None) == "--- settings.json\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n"
    assert difference(PATH, b"a\nb\n", b"a\nb\n") == difference(PATH, None, None) == ""


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_change_anywhere_in_a_long_line_is_told(place):
    kept = [{"theme": "x" * 500}, {"words": "it is so " * 200}]
    before = json.dumps(kept)
    after = json.dumps([*kept[:place], {"bigmind": {"command": "evil"}}, *kept[place:]])
    lines = told(before, after)
    assert '"bigmind"' in "".join(signed(lines, "+"))
    assert '"evil"' in "".join(signed(lines, "+"))
    assert signed(lines, "-") == [] or place == 2
    assert max(map(len, lines)) <= LONGEST_LINE + 3


@pytest.mark.parametrize("name", ["AGENTS.md", ".goosehints", "bigmind.mdc"])
def test_a_long_line_of_prose_is_told_in_sentences(name):
    sentences = [f"Sentence {number}, with commas, in which nothing is cut, says that much. " for number in range(8)]
    before, after = (
        "".join(sentences),
        "".join([*sentences[:5], "New: it is told by itself, commas and all, too. ", *sentences[5:]]),
    )
    lines = difference(Path(name), before.encode(), after.encode()).splitlines()[3:]
    assert signed(lines, "+") == ["↳ New: it is told by itself, commas and all, too. "]
    assert signed(lines, "-") == []
    assert is_in_pieces("\n".join(lines))
    long = ["x" * 5_000, "word " * 1_000, ". " * 1_000, "a. b! " * 500]
    for each in long:
        added = signed(difference(Path(name), None, each.encode()).splitlines()[3:], "+")
        assert "".join(line.removeprefix("↳ ") for line in added) == each
        assert max(map(len, added)) <= LONGEST_LINE + 3
    assert not is_in_pieces("\n".join(told("a", "b")))


def test_two_changes_far_apart_in_one_line_are_both_told():
    between = {f"key {number}": number for number in range(400)}
    lines = told(json.dumps({"a": 1, **between, "z": 1}), json.dumps({"a": 2, **between, "z": 2}))
    assert (signed(lines, "-"), signed(lines, "+")) == (['↳ "a": 1, ', '↳ "z": 1}'], ['↳ "a": 2, ', '↳ "z": 2}'])
    assert {line for line in lines if line.startswith("@@")} == {"@@ -1 +1 @@"}


def test_a_change_within_a_long_word_is_told():
    before = '"' + "z" * 5_000 + '"'
    lines = told(before, before[:3_000] + "Y" + before[3_001:])
    assert "Y" in "".join(signed(lines, "+"))
    assert len(signed(lines, "+")) == len(signed(lines, "-")) == 1


def test_secrets_of_others_are_masked_on_both_sides_and_around_the_change():
    before = json.dumps({"env": {"OPENAI_API_KEY": KEY}, "a": 1, "token": f"Bearer {TOKEN}"}, indent=1)
    lines = told(before, before.replace('"a": 1', '"a": 2'))
    assert (signed(lines, "-"), signed(lines, "+")) == ([' "a": 1,'], [' "a": 2,'])
    assert any("[masked: API key]" in line for line in lines)
    assert any("Bearer bm_…" in line for line in lines)
    assert KEY not in "".join(lines)
    assert TOKEN not in "".join(lines)


@pytest.mark.parametrize("secret", [KEY, TOKEN])
def test_a_secret_that_changes_is_a_line_that_changes(secret):
    before = f'{{\n "OPENAI_API_KEY": "{secret}"\n}}'
    lines = told(before, before.replace(secret, secret[:-1] + "X"))
    assert len(signed(lines, "-")) == len(signed(lines, "+")) == 1
    assert secret[:-1] not in "".join(lines)


def test_secrets_within_a_line_in_pieces_are_masked():
    before = json.dumps({"p": "x" * 500, "env": {"OPENAI_API_KEY": KEY, "URL": "https://ada:s3cr3t,pw{x@db.internal"}})
    lines = told(before, before[:-1] + ', "token": "' + TOKEN + '"}')
    assert '"token": "bm_…"' in "".join(signed(lines, "+"))
    assert not any(part in "".join(lines) for part in (KEY, TOKEN, "s3cr3t", "pw{x"))


def test_a_token_that_two_pieces_share_is_masked():
    for filling in range(LONGEST_LINE - 40, LONGEST_LINE + 5):
        lines = told(None, "x" * filling + "." + TOKEN + "y" * 300)
        assert not any(TOKEN[start : start + 8] in "".join(lines) for start in range(3, 25))


def test_the_rest_of_a_private_key_above_the_change_is_masked():
    body = "".join(f"{number:02}" + "Ab3/" * 15 + "\n" for number in range(30))
    before = f"-----BEGIN RSA PRIVATE KEY-----\n{body}-----END RSA PRIVATE KEY-----\nlast\n"
    for changed in (before + "new\n", before.replace("-----BEGIN", "new\n-----BEGIN")):
        lines = told(before, changed)
        assert signed(lines, "+") == ["new"]
        assert "Ab3/" not in "".join(lines)


def test_what_is_not_told_is_counted():
    lines = told(None, "".join(f"line {number}\n" for number in range(5_000)))
    shown = signed(lines, "+")
    assert lines[-1] == f"… {5_000 - len(shown):,} more lines are not shown"
    assert MOST_CHARACTERS * 0.8 < sum(map(len, shown)) <= MOST_CHARACTERS


def test_what_comes_is_told_even_where_very_much_goes():
    lines = told("old line of somebody\n" * 5_000, "new\n")
    gone = len(signed(lines, "-"))
    assert signed(lines, "+") == ["new"]
    assert f"… {5_000 - gone:,} more of the old lines are not shown" in lines


@pytest.mark.parametrize("distinct", [1, 2, 199, 100_000])
def test_only_what_changed_of_a_large_file_is_compared(distinct, monkeypatch):
    compared = compared_pairs(monkeypatch)
    before = "".join(f"{number % distinct}\n" for number in range(100_000))
    middle = len(before) // 2
    at = before.index("\n", middle) + 1
    assert signed(told(before, before[:at] + "new\n" + before[at:]), "+") == ["new"]
    assert signed(told(before, before + "new\n"), "+") == ["new"]
    assert compared
    assert max(compared) < 100_000


def test_large_files_that_differ_at_both_ends_are_not_compared_line_by_line(monkeypatch):
    compared = compared_pairs(monkeypatch)
    before = "".join(f"{number % 199}\n" for number in range(100_000))
    lines = told(before, f"first\n{before}last\n")
    assert max(compared, default=0) <= MOST_PAIRS
    assert lines[1] == "-0"
    assert "+first" in lines
    assert lines[-1].endswith("more lines are not shown")


def compared_pairs(monkeypatch):
    """How many pairs of lines each comparison from now on could look at: the list that it fills."""
    counts = []

    def noted(junk, old, new):
        counts.append(len(old) * len(new))
        return SequenceMatcher(junk, old, new)

    monkeypatch.setattr(diff, "SequenceMatcher", noted)
    return counts


def test_only_lines_beside_the_change_are_searched_for_secrets(monkeypatch):
    from bigmind.secrets import masking  # noqa: PLC0415 - patched here

    searched = []
    original = masking.secrets_of
    monkeypatch.setattr(masking, "secrets_of", lambda used, text: (searched.append(len(text)), original(used, text))[1])
    before = "".join(f"line {number}\n" for number in range(100_000))
    told(before, before.replace("line 70000\n", "line 70000\nnew\n"))
    assert 0 < sum(searched) < 5_000
