"""Questions that a query parser would trip over."""

import random
from collections.abc import Callable, Iterator

from hypothesis import strategies as st

CODE = (
    "foo->bar()",
    "a.b.c",
    "c++",
    "what's up?",
    "NOT",
    "AND",
    "OR",
    "NEAR",
    "NEAR(a b, 3)",
    '"',
    '""',
    "'",
    "a*",
    "*",
    "^a",
    "content:foo",
    "{content flag_reason}: x",
    "-x",
    "+x",
    "a AND",
    "(",
    ")",
    "()",
    "((",
    ":",
    "a:b:c",
    "%",
    "_",
    "\\",
    "--",
    ";",
    "'; DROP TABLE chunk; --",
    "\x00",
    "a\x00b",
    "\ud800",
    "a\udfffb",
    "🚀",
    "👩‍👩‍👧",
    "数",
    "数据",
    "ก",
    "i",
    "I'm",
    "@me",
    "#1",
    "$x",
    "std::vector<int>",
    "[[x]]",
    "<b>",
    "\n",
    "\t \n",
    "\u2028",
    "²",
    "Ⅷ",
    "①",
    "İ",
    "ß",
    "ﬁ",
    "e\u0301",
    "\u0301",
    "١٢٣",
)
OPERATORS = st.sampled_from(CODE)
STRINGS = st.one_of(
    st.text(st.characters(), min_size=1, max_size=60),
    st.lists(st.one_of(OPERATORS, st.text(max_size=8)), min_size=1, max_size=8).map(" ".join),
    st.lists(st.one_of(OPERATORS, st.sampled_from("aZ0 .'\"()*:^-")), min_size=1, max_size=12).map("".join),
    st.builds(
        lambda piece, times: piece * times, st.one_of(OPERATORS, st.text(min_size=1, max_size=3)), st.integers(1, 500)
    ),
).filter(bool)


ALPHABETS = {
    "latin": "abcdefghijklmnopqrstuvwxyzABCäöüßéñøłİı",
    "greek and cyrillic": "αβγδεζηθάέήςЖабвгдеёйщъэюя",
    "arabic and hebrew": "ابتثجحخدذرזחטיכלמנסעפץ\u064e\u0651\u05b0",
    "han, kana, hangul": "数据库迁移在周五晚上データベースのですは가나다라한글",
    "devanagari and thai": "कखगघङचछजझक्षि्ाีกขคงจฉช่้",
    "code": "abcXYZ019_-./\\:;()[]{}<>=+*&^%$#@!|~`?,",
    "operators": "\"'*^:(){}+-\x00",
    "unseen": "\u200b\u200c\u200d\u200e\u200f\u202e\u2066\ufeff\u00ad\ufe0f\u0301\u0300\U000e0041",
    "emoji": "🚀👩💻🇩🇪👍🏽❤️🏳️‍🌈",
    "surrogates and edges": "\ud800\udfff\U0010ffff\ufffe\x01\x7f\u2028\u0085",
}
SYNTAX = (
    "AND",
    "OR",
    "NOT",
    "NEAR(a b, 2)",
    "content:",
    "{content terms} :",
    '"',
    "^",
    "*",
    "- ",
    "rowid:",
    "rank MATCH",
)


def many_strings(seed: int, count: int) -> Iterator[str]:
    """So many odd strings, always the same ones: of one script or of several, with operators, code and questions."""
    draw = random.Random(seed)
    makers: list[Callable[[], str]] = [
        lambda: _of(draw, draw.choice(list(ALPHABETS.values())), 40),
        lambda: "".join(_of(draw, draw.choice(list(ALPHABETS.values())), 6) for _ in range(draw.randint(1, 8))),
        lambda: " ".join(draw.choice((*CODE, *SYNTAX, _of(draw, ALPHABETS["latin"], 9))) for _ in range(6)),
        lambda: "".join(draw.choice((*CODE, *SYNTAX)) for _ in range(draw.randint(1, 10))),
        lambda: " ".join(_of(draw, draw.choice(list(ALPHABETS.values())), 12) for _ in range(draw.randint(1, 30))),
        lambda: draw.choice((*CODE, *SYNTAX, "ab", "数", "é")) * draw.randint(1, 300),
    ]
    for number in range(count):
        yield makers[number % len(makers)]()


def _of(draw: random.Random, alphabet: str, longest: int) -> str:
    return "".join(draw.choices(alphabet, k=draw.randint(1, longest)))
