"""In a team: nobody's token, and nobody's page, reads or writes what another person has on the server's disk."""

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import time

import pytest

from bigmind.core.errors import Code
from bigmind.core.ids import new_id
from bigmind.core.operation import Mode, Presence, Role
from bigmind.paths import scratch_folder, transfer_folder
from bigmind.portable.transfer_paths import KEPT_SECONDS, MOST_KEPT
from tests.memory.living import Memory, living
from tests.memory.rows import fact
from tests.memory.test_secrets_scan import TEXT

PRIVATE = "Ada is afraid of the audit"


@pytest.fixture
def ada(home: Path) -> Iterator[Memory]:
    """The token of an admin."""
    with living(home, Mode.TEAM, is_copy=True) as memory:
        yield memory


@pytest.fixture
def eve(ada: Memory) -> Memory:
    return ada.of("eve")


def on_page(memory: Memory) -> Memory:
    return replace(memory, caller=replace(memory.caller, is_person=True, presence=Presence.PAGE))


def at_terminal(memory: Memory) -> Memory:
    return replace(memory, caller=replace(memory.caller, is_person=True, presence=Presence.COMMAND_LINE))


def test_no_token_and_no_page_of_a_member_reads_what_another_exported(ada: Memory, eve: Memory):
    ada("memory_store_fact", category="learning", fact=PRIVATE)
    path = ada("memory_export").path
    for caller in (eve, on_page(eve)):
        refused = caller.refuses("memory_import", path=path)
        assert refused.code is Code.FORBIDDEN
    assert PRIVATE not in {each.fact for each in eve("memory_list_facts").facts}


def test_whether_a_file_is_there_is_not_told(ada: Memory, eve: Memory, home: Path, tmp_path: Path):
    there, none, circle = tmp_path / "there.json", tmp_path / "none.json", tmp_path / "circle"
    there.write_text("{}")
    circle.symlink_to(circle)
    of_ada = Path(ada("memory_export").path)
    places = [there, none, of_ada, of_ada.with_name("none.json"), transfer_folder(home) / "a.json", circle / "a.json"]
    places += [Path("~root/a.json"), Path("~nobody-of-this-name/a.json"), Path("~root/a"), Path("a.json")]
    for caller in (eve, on_page(eve)):
        for operation, field in (("memory_import", "path"), ("memory_export", "output_path")):
            told = {
                (error.code, error.message) for each in places if (error := _refused(caller, operation, field, each))
            }
            assert {code for code, _ in told} == {Code.FORBIDDEN}
            assert len(told) == 1, told


def test_whether_a_folder_is_there_is_not_told_to_a_member_who_would_learn_from_it(eve: Memory, tmp_path: Path):
    file, why = tmp_path / "file", "Only an admin learns from the files of this machine."
    file.touch()
    for given in (tmp_path, file, tmp_path / "none", Path("~root"), Path("~nobody-of-this-name"), Path("none")):
        refused = on_page(eve).refuses("learn_proposals", workspace=str(given))
        assert (refused.code, refused.message) == (Code.FORBIDDEN, why)


def _refused(caller: Memory, operation: str, field: str, place: Path):
    return caller.refuses(operation, **{field: str(place)})


def test_a_token_brings_back_what_it_exported(eve: Memory):
    eve("memory_store_fact", category="learning", fact="Otters use stones")
    path = Path(eve("memory_export").path)
    assert path.parent == eve.kept_exports
    assert json.loads(path.read_text(encoding="utf-8"))["facts"]
    assert not eve("memory_import", path=str(path)).changed


@pytest.mark.skipif(os.name != "posix", reason="modes and links are POSIX's")
def test_the_folder_is_private_and_no_link_leads_out_of_it(ada: Memory, eve: Memory):
    own, of_ada = Path(eve("memory_export").path), ada("memory_export").path
    assert own.parent.stat().st_mode & 0o077 == 0
    (own.parent / "link.json").symlink_to(of_ada)
    for given in (own.parent / "link.json", own.parent / ".." / ada.kept_exports.name / Path(of_ada).name):
        assert eve.refuses("memory_import", path=str(given)).code is Code.FORBIDDEN


def test_only_the_newest_exports_of_a_token_are_kept_also_of_one_second(eve: Memory):
    made: list[Path] = []
    for number in range(MOST_KEPT + 2):
        made.append(Path(eve("memory_export").path))
        at = time() - 100 + number
        os.utime(made[-1], (at, at))
    assert set(eve.kept_exports.iterdir()) == set(made[-MOST_KEPT:])


@pytest.mark.skipif(os.name != "posix", reason="links are POSIX's")
def test_an_export_that_goes_away_meanwhile_keeps_nobody_from_the_next(eve: Memory):
    gone = Path(eve("memory_export").path).with_name("gone.json")
    gone.symlink_to(gone.with_name("nowhere"))  # is listed, and cannot be looked at
    for _ in range(MOST_KEPT):
        assert Path(eve("memory_export").path).exists()


def test_what_is_kept_for_tokens_is_removed_after_a_day(ada: Memory, eve: Memory):
    of_eve, of_ada = Path(eve("memory_export").path), Path(ada("memory_export").path)
    at = time() - KEPT_SECONDS - 60
    os.utime(of_eve, (at, at))
    ada("memory_export")
    assert not of_eve.exists()
    assert of_ada.exists()


def test_what_a_store_kept_for_tokens_is_nobodys_in_the_next_one(home: Path):
    with living(home, Mode.TEAM) as ada:
        eve = ada.of("eve")
        eve("memory_store_fact", category="learning", fact=PRIVATE)
        kept = Path(eve("memory_export").path)
        document = kept.read_bytes()
    for name in ("bigmind.db", "bigmind.db-wal", "bigmind.db-shm"):
        (home / name).unlink(missing_ok=True)
    with living(home, Mode.TEAM) as ada:
        assert not kept.exists()
        bob = ada.of("bob")
        assert bob.caller.user_id == eve.caller.user_id
        kept.parent.mkdir()
        kept.write_bytes(document)
        assert bob.refuses("memory_import", path=str(kept)).code is Code.FORBIDDEN


def test_what_is_kept_for_tokens_outlives_a_start(home: Path):
    with living(home, Mode.TEAM) as ada:
        kept = Path(ada("memory_export").path)
    with living(home, Mode.TEAM):
        assert kept.exists()


def test_what_is_kept_for_tokens_goes_when_something_is_forgotten(eve: Memory):
    fact = eve("memory_store_fact", category="learning", fact="Otters use stones").fact.fact_id
    path = Path(eve("memory_export").path)
    at_terminal(eve)("memory_forget", id=fact)
    assert not path.exists()


def test_what_is_kept_for_tokens_goes_when_secrets_are_masked(eve: Memory):
    path = Path(eve("memory_export").path)
    eve.insert(fact(eve.clock.now, TEXT, user_id=eve.caller.user_id))
    at_terminal(eve)("secrets_scan")
    assert path.exists()
    at_terminal(eve)("secrets_scan", mask=True)
    assert not path.exists()


def test_a_page_brings_in_what_it_was_sent(eve: Memory, home: Path):
    sent = scratch_folder(home) / "upload-1"
    sent.mkdir(parents=True)
    on_page(eve)("memory_export", output_path=str(sent / "a.json"))
    on_page(eve)("memory_import", path=str(sent / "a.json"), dry_run=True)


def test_the_command_and_an_admins_page_name_any_place(ada: Memory, eve: Memory, tmp_path: Path):
    at_terminal(eve)("memory_export", output_path=str(tmp_path / "eve.json"))
    on_page(ada)("memory_import", path=str(tmp_path / "eve.json"), dry_run=True)
    curator = on_page(ada.of("carl", Role.CURATOR))
    assert curator.refuses("memory_import", path=str(tmp_path / "eve.json")).code is Code.FORBIDDEN


def test_each_changing_import_of_a_member_rests_on_a_backup_of_its_own(ada: Memory, eve: Memory):
    def brought(member: Memory) -> str:
        path = Path(member("memory_export").path)
        document = json.loads(path.read_text(encoding="utf-8"))
        document["facts"] = [document["facts"][0] | {"id": new_id()}]
        path.write_text(json.dumps(document), encoding="utf-8")
        member.clock.forward(minutes=10)
        return member("memory_import", path=str(path)).backup

    for member in (eve, bob := ada.of("bob")):
        member("memory_store_fact", category="learning", fact="Otters use stones")
    backups = [brought(eve), brought(bob)]
    assert all(backups)
    assert len(set(backups)) == len(backups)
