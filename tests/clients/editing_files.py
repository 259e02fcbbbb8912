"""Configuration files as people and clients write them: generated from a seed, in layouts of all kinds."""

import json
import random
import re

import tomlkit
import yaml

NEWLINES = ("\n", "\n", "\r\n")
WORDS = ("theme", "fontSize", "model", "über", "a b", "x-y", "editor.tabSize", "z1", "last")
SCALARS = (
    "dark",
    "",
    "// no comment",
    "/* nor this */",
    "# nor that",
    'say "hi"',
    "C:\\dir",
    "é 漢 🙂",
    0,
    1,
    -2.5,
    True,
)
TOML_VALUES = (
    '"a # b"',
    "'c:\\d'",
    '"""\n[not.a.table]\nx = 1\n"""',
    "1_000",
    "1979-05-27 07:32:00",
    "[1, 2]",
    "true",
    '[\n  "a", # one\n  "b",\n]',
    "{ x = 1, y = [2] }",
    "{}",
    "[]",
    "'''\n#'''",
)
JSON_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|//[^\r\n]*|/\*.*?\*/|,|[^"/,]+', re.DOTALL)


def read_json(text: str) -> object:
    """What a JSON text with comments says, by another way than the product's."""
    tokens = [token for token in JSON_TOKEN.findall(text.removeprefix("\ufeff")) if token[:2] not in {"//", "/*"}]
    plain = re.sub(r'("(?:\\.|[^"\\])*")|,(?=\s*[\]}])', lambda found: found[1] or "", "".join(tokens))
    return json.loads(plain) if plain.strip() else {}


def read_toml(text: str) -> object:
    return tomlkit.parse(text.removeprefix("\ufeff")).unwrap()


def read_yaml(text: str) -> object:
    return yaml.safe_load(text.removeprefix("\ufeff")) or {}


class Layout:
    """One person's habits."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.newline = self.random.choice(NEWLINES)
        self.unit = self.random.choice(("  ", "    ", "\t", " "))
        self.comments = self.random.random() < 0.6
        self.trailing = self.random.random() < 0.4

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def finished(self, text: str, ending: str = "") -> str:
        """With a byte order mark or not, and a final line break, none or several unless said."""
        ending = ending or self.random.choice(("", "\n", "\n", "\n", "\n\n"))
        text = ("\ufeff" if self.chance(0.2) else "") + text + ending
        return text.replace("\n", self.newline)


class JsonFile(Layout):
    def text(self) -> str:
        if self.chance(0.05):
            return self.finished(self.random.choice(("", "\n", "// nothing yet", " ")))
        head = "// settings\n/* of\n   mine */\n" if self.comments and self.chance(0.4) else ""
        body = head + self.container(self.members(0), "{}", "")
        return self.finished(body + (" // end" if self.comments and self.chance(0.2) else ""))

    def members(self, depth: int) -> list[tuple[str, str]]:
        keys = self.random.sample(WORDS, self.random.randint(0, 4))
        if depth == 0:
            keys += [key for key in ("mcpServers", "hooks") if self.chance(0.5)]
            self.random.shuffle(keys)
        return [(key, self.value(key, depth + 1)) for key in keys]

    def value(self, key: str, depth: int) -> str:
        indent = self.unit * depth
        if key in {"mcpServers", "hooks"}:
            if self.chance(0.15):
                return "null"
            inner = [("Stop", self.elements(depth + 1))] if key == "hooks" and self.chance(0.7) else []
            return self.container(inner + self.members(depth), "{}", indent)
        if depth < 4 and self.chance(0.3):
            return self.container(self.members(depth), "{}", indent)
        return self.elements(depth) if depth < 4 and self.chance(0.2) else self.scalar()

    def elements(self, depth: int) -> str:
        each = [("", self.value("", depth + 1)) for _ in range(self.random.randint(0, 3))]
        return self.container(each, "[]", self.unit * depth)

    def scalar(self) -> str:
        return json.dumps(self.random.choice(SCALARS), ensure_ascii=self.chance(0.3))

    def container(self, members: list[tuple[str, str]], brackets: str, indent: str) -> str:
        wide = self.chance(0.75)
        lead = f"\n{indent}{self.unit}" if wide else self.random.choice(("", " "))
        close = f"\n{indent}" if wide and self.chance(0.95) else self.random.choice(("", " "))
        if not members:
            inner = self.random.choice(("", "", " ", f"\n{indent}", f"\n\n{indent}"))
            return brackets[0] + self.comment(inner) + inner + brackets[1]
        text = brackets[0]
        for number, (key, value) in enumerate(members):
            last = number == len(members) - 1
            comma = "," if not last or self.trailing else ""
            colon = self.random.choice((": ", ":", " : ")) if key else ""
            text += self.lead(lead, first=number == 0) + (json.dumps(key, ensure_ascii=False) + colon if key else "")
            text += value + (" " if comma and self.chance(0.05) else "") + comma
            text += self.comment("\n" if (wide and not last) or "\n" in close else "")
        return text + close + brackets[1]

    def lead(self, lead: str, *, first: bool) -> str:
        if "\n" not in lead or not self.chance(0.15):
            return lead if first or lead else self.random.choice(("", " "))
        return "\n" + (f"{lead}// own line" if self.comments else "") + lead

    def comment(self, following: str) -> str:
        if not self.comments or not self.chance(0.25):
            return ""
        return self.random.choice((" // why, {not} [this]", "\t//x")) if "\n" in following else " /* so // it is */"


class TomlFile(Layout):
    def text(self) -> str:
        if self.chance(0.05):
            return self.finished(self.random.choice(("", "\n", "# nothing yet")))
        tables = ["[profiles.fast]", "[tools]", "[[agents]]\n", '[projects."/home/me/a.b"]']
        if self.chance(0.5):
            tables += ["[mcp_servers.other]", "[mcp_servers.other.env]"][: self.random.randint(1, 2)]
        parts = [self.pairs("top"), *(self.table(header) for header in tables if self.chance(0.6))]
        if self.chance(0.5) and "[mcp_servers" not in "".join(parts):
            kind = self.random.choice(("mcp_servers = {}", "mcp_servers = { other = { command = 'x' } } # mine"))
            parts[0] += kind + "\n"
        gap = self.random.choice(("", "\n", "\n\n"))
        return self.finished(gap.join(part for part in parts if part).rstrip("\n"))

    def table(self, header: str) -> str:
        comment = "# about what follows\n" if self.comments and self.chance(0.3) else ""
        return (
            comment + header.strip() + (" # c" if self.comments and self.chance(0.2) else "") + "\n" + self.pairs("in")
        )

    def pairs(self, prefix: str) -> str:
        return "".join(self.pair(f"{prefix}_{number}") for number in range(self.random.randint(0, 4)))

    def pair(self, key: str) -> str:
        value = self.random.choice(TOML_VALUES)
        key = self.random.choice((key, f'"{key} q"', f"{key}.dotted"))
        equals = self.random.choice((" = ", "=", "  =  "))
        ending = self.random.choice(("  # why\n", "\n# own line\n")) if self.comments and self.chance(0.3) else "\n"
        return self.random.choice(("", "", "", "\n")) + key + equals + value + ending


class YamlFile(Layout):
    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.unit = self.random.choice(("  ", "    "))

    def text(self) -> str:
        if self.chance(0.1):
            return self.finished(self.random.choice(("", "\n", "# nothing yet", "{}", "---")))
        keys = ["one", "two_2", '"three 3"', "four"][: self.random.randint(0, 4)]
        keys += [key for key in ("extensions", "hooks") if self.chance(0.6)]
        self.random.shuffle(keys)
        text = "".join(self.entry(key, 0) for key in keys) or "only: 1\n"
        # without a last line break the value of a block has none either, and gets one with what follows: refused
        ending = "\n" if text.endswith("end\n") else ""
        return self.finished(("---\n" if self.chance(0.2) else "") + text.rstrip("\n"), ending)

    def entry(self, key: str, depth: int) -> str:
        comment = f"{self.unit * depth}# about {key}\n" if self.comments and self.chance(0.2) else ""
        blank = "\n" if self.chance(0.1) else ""
        return blank + comment + self.unit * depth + key + ":" + self.value(key, depth)

    def value(self, key: str, depth: int) -> str:
        after = " # c" if self.comments and self.chance(0.2) else ""
        if key in {"extensions", "hooks"} and self.chance(0.4):
            return self.random.choice(("", " {}", " {a: {b: 1}}", " ~")) + after + "\n"
        if key == "hooks":
            return after + "\n" + self.entry("Stop", depth + 1)
        if key == "Stop":
            return self.random.choice((" []", " [a, 'b']", "", self.items(depth))) + "\n"
        if key == "extensions" or (depth < 3 and self.chance(0.3)):
            inner = "".join(self.entry(f"{name}{depth}", depth + 1) for name in ("a", "b")[: self.random.randint(1, 2)])
            return after + "\n" + inner
        return self.scalar(self.unit * (depth + 1), after)

    def items(self, depth: int) -> str:
        indent = "\n" + self.unit * depth + self.random.choice(("", "  "))
        return "".join(indent + item for item in ("- a", "- b: 1" + indent + "  c: 2", "- 'x' # c"))

    def scalar(self, indent: str, after: str) -> str:
        if self.chance(0.15):
            return f" |\n{indent}text # no comment\n\n{indent}more: so\n{indent}end\n"
        plain = (
            "1",
            "word and word",
            "'it''s'",
            '"a\\tb"',
            "1.5",
            "[1,   2]",
            "{x: 1,  y: [2]}",
            "",
            f"[\n{indent}  a,\n{indent}]",
        )
        choice = self.random.choice(plain)
        return "  " * self.chance(0.1) + (" " + choice if choice else "") + after + "\n"


class MarkdownFile(Layout):
    def text(self) -> str:
        lines = [
            "# Rules",
            "",
            "- be kind  ",
            "<!-- a comment -->",
            "```",
            "x = 1",
            "```",
            "   ",
            "Ünï 🙂",
            "BEGIN BIGMIND",
        ]
        return self.finished("\n".join(self.random.choices(lines, k=self.random.randint(0, 8))))
