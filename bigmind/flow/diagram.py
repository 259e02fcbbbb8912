"""A process as a picture and as rows, both read from its document. The picture is SVG; the rows say the same in words.

Each state is a column under its node, each transition an arrow on a line of its own, with what it needs below it. No
labels can meet, whatever a team declares. A layered graph would look more like a graph, and be read less: `task` has 30
transitions among 12 states, several between the same two. Of the libraries on PyPI that lay one out in Python alone,
grandalf is GPL or EPL, without a release since 2023, and places no labels; the others call a program.

Colors are currentColor, and Canvas where text crosses a line; a page sets its own by the classes: `process`, `state`,
`is-final`, `is-claimed`, `is-saving`, `is-current`, `column`, `transition`, `arrow`, `label`, `needs`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape

from bigmind.core.shapes import is_list
from bigmind.flow.workflow import ANY, RESTORE, Effect, Process, State, Transition

COLUMN, NODE_WIDTH, NODE_HEIGHT = 96, 86, 42
"""Pixels from one state to the next, and of a node."""
MARGIN, LINE, LOOP = 8, 42, 34
"""Pixels around the picture, from one transition to the next, and of one that comes back to its state."""
HEAD = 6
"""Pixels of an arrow's head."""
LETTER, SMALL_LETTER = 6.7, 5.9
"""Pixels that a letter of a label, and of what it needs, takes at most on an average."""
LONGEST_TITLE = 13
"""Characters of a state's title in its node; the whole stands in the node's own title."""


@dataclass(frozen=True, slots=True)
class TransitionRow:
    """A transition in words.

    Attributes:
        source: a state, or `any`.
        target: a state, or `restore`.
        by: who may make it, with the role that the item must have.
        gates: what must hold, each with its level where it is not MUST.
        effects: what happens with it.
        label: what a button says.
    """

    source: str
    target: str
    by: str
    gates: tuple[str, ...]
    effects: tuple[str, ...]
    label: str


def rows(process: Process) -> list[TransitionRow]:
    """The transitions of a process in words, in its order."""
    return [
        TransitionRow(
            each.source,
            each.target,
            _by(each),
            tuple(gate.words for gate in each.gates),
            tuple(_effect_words(effect) for effect in each.effects),
            each.label,
        )
        for each in process.transitions
    ]


def _effect_words(effect: Effect) -> str:
    values: list[object] = effect.value if is_list(effect.value) else [effect.value]
    return f"{effect.kind.replace('_', ' ')}: {', '.join(map(str, values))}"


def _by(rule: Transition) -> str:
    told = [", ".join(sorted(rule.actors))]
    if rule.role:
        told.append(f"item of {rule.role}")
    if rule.worked_as:
        told.append(f"work of {rule.worked_as}")
    return "; ".join(told)


def svg(process: Process, current: str = "") -> str:
    """The picture of a process, as an SVG element.

    Args:
        process: checked.
        current: the state to highlight, where an item stands; empty for none.
    """
    return "\n".join(_Picture(process, current).parts())


class _Picture:
    def __init__(self, process: Process, current: str) -> None:
        self._process = process
        self._current = current
        self._columns = {name: MARGIN + COLUMN * at + NODE_WIDTH / 2 for at, name in enumerate(process.states)}
        gathered = [each for each in process.transitions if each.source == ANY]
        self._rules = [each for each in process.transitions if each.source != ANY] + gathered
        widest = max(self._width_of(each) for each in self._rules)
        columns = COLUMN * len(process.states) - (COLUMN - NODE_WIDTH)
        self._width = 2 * MARGIN + max(columns, widest)
        self._top = MARGIN + NODE_HEIGHT
        self._bottom = self._top + LINE * len(self._rules) + LINE / 2

    def parts(self) -> Iterator[str]:
        name, title = escape(self._process.name), escape(self._process.title)
        height = self._bottom + 16 + MARGIN
        ids = f"process-{name}-title process-{name}-text"
        yield f'<svg xmlns="http://www.w3.org/2000/svg" class="process" viewBox="0 0 {self._width:g} {height:g}"'
        yield f' role="img" aria-labelledby="{ids}" font-family="system-ui, sans-serif" fill="currentColor">'
        yield f'<title id="process-{name}-title">{title}: its states and the moves between them</title>'
        yield f'<desc id="process-{name}-text">{escape(self._in_words())}</desc>'
        yield from (self._column(each) for each in self._process.states.values())
        for number, rule in enumerate(self._rules):
            yield from self._transition(rule, self._top + LINE * (number + 0.75))
        yield from (self._node(each) for each in self._process.states.values())
        yield "</svg>"

    def _in_words(self) -> str:
        states = ", ".join(f"{each.title}{f' ({marks})' if (marks := _marks(each)) else ''}" for each in self._states())
        here = f" It is now in {self._process.states[self._current].title}." if self._current in self._columns else ""
        moves = "; ".join(f"{each.label}: {each.source} to {each.target}, by {_by(each)}" for each in self._rules)
        return f"States: {states}.{here} Moves: {moves}."

    def _states(self) -> Iterable[State]:
        return self._process.states.values()

    def _column(self, state: State) -> str:
        x = self._columns[state.name]
        line = f'<line x1="{x:g}" x2="{x:g}" y1="{self._top}" y2="{self._bottom:g}" {_STROKE} opacity="0.25"/>'
        text = f'<text x="{x:g}" y="{self._bottom + 14:g}" {_MIDDLE} font-size="11">{_short(state.title)}</text>'
        return f'<g class="column" aria-hidden="true">{line}{text}</g>'

    def _node(self, state: State) -> str:
        x, is_current = self._columns[state.name], state.name == self._current
        left, middle = x - NODE_WIDTH / 2, MARGIN + NODE_HEIGHT / 2
        known = {"is-final": state.is_final, "is-claimed": state.is_claimed, "is-saving": state.saves}
        classes = " ".join(["state", *(name for name, holds in known.items() if holds), *["is-current"] * is_current])
        dashes = ' stroke-dasharray="4 3"' if state.saves else ""
        box = f'rx="8" fill="Canvas" {_STROKE} stroke-width="{3 if is_current else 1.2}"{dashes}'
        marks = _marks(state)
        head = f'x="{x:g}" y="{middle + (-1 if marks else 4):g}" {_MIDDLE} font-size="12" font-weight="600"'
        drawn = [
            f'<rect x="{left:g}" y="{MARGIN}" width="{NODE_WIDTH}" height="{NODE_HEIGHT}" {box}/>',
            f"<text {head}>{_short(state.title)}</text>",
        ]
        if state.is_final:
            inner = f'width="{NODE_WIDTH - 6}" height="{NODE_HEIGHT - 6}" rx="6" fill="none" {_STROKE}'
            drawn.insert(1, f'<rect x="{left + 3:g}" y="{MARGIN + 3}" {inner}/>')
        if marks:
            drawn.append(f'<text x="{x:g}" y="{middle + 12:g}" {_MIDDLE} font-size="9.5">{escape(marks)}</text>')
        told = f"{state.name}: {state.title}{', ' + marks if marks else ''}{', where it is now' if is_current else ''}"
        return (
            f'<g class="{classes}" data-state="{escape(state.name)}"><title>{escape(told)}</title>{"".join(drawn)}</g>'
        )

    def _transition(self, rule: Transition, y: float) -> Iterator[str]:
        yield f'<g class="transition" data-from="{escape(rule.source)}" data-to="{escape(rule.target)}">'
        yield f"<title>{escape(self._sentence(rule))}</title>"
        yield from self._texts(rule, y)  # below the arrow: what keeps lines off a text keeps off no head
        dashes = ' stroke-dasharray="5 3"' if rule.target == RESTORE or rule.source == ANY else ""
        yield f'<g class="arrow" fill="none" {_STROKE} stroke-width="1.4"{dashes}>{self._lines(rule, y)}</g>'
        yield f'<g class="ends" aria-hidden="true" {_STROKE}>{self._ends(rule, y)}</g>'
        yield "</g>"

    def _sentence(self, rule: Transition) -> str:
        needs = "; ".join(each.words for each in rule.gates)
        return f"{rule.label}: {rule.source} to {rule.target}, by {_by(rule)}{f'; needs {needs}' if needs else ''}"

    def _xs(self, rule: Transition) -> tuple[list[float], list[float]]:
        """Where an arrow begins and where it ends; from `any` it begins at many, and a restore ends at many."""
        before = [rule.source] if rule.source != ANY else self._sources(rule)
        after = [rule.target] if rule.target != RESTORE else self._interrupted(rule.source)
        return [self._columns[each] for each in before], [self._columns[each] for each in after]

    def _sources(self, rule: Transition) -> list[str]:
        return [each for each in self._process.states if each != rule.target and self._process.is_source(rule, each)]

    def _interrupted(self, saving: str) -> list[str]:
        into = [each for each in self._process.transitions if each.target == saving]
        known = self._process.states
        return [name for name in known if name != saving and any(self._process.is_source(each, name) for each in into)]

    def _lines(self, rule: Transition, y: float) -> str:
        before, after = self._xs(rule)
        if rule.source == rule.target:
            [x] = before
            return f'<path d="M{x:g},{y - 7:g} h{LOOP} v7 h-{LOOP - HEAD}"/>'
        ends = [*before, *after]
        return f'<line x1="{min(ends):g}" x2="{max(ends):g}" y1="{y:g}" y2="{y:g}"/>'

    def _ends(self, rule: Transition, y: float) -> str:
        before, after = self._xs(rule)
        dots = [f'<circle cx="{x:g}" cy="{y:g}" r="3"/>' for x in before if rule.source != rule.target]
        if rule.target == RESTORE:
            return "".join([*dots, *(f'<circle cx="{x:g}" cy="{y:g}" r="4" fill="Canvas"/>' for x in after)])
        [x] = after
        sides = {1 if other > x else -1 for other in before if other != x} or {1}
        return "".join([*dots, *(_head(x, y, side) for side in sorted(sides))])

    def _texts(self, rule: Transition, y: float) -> Iterator[str]:
        before, after = self._xs(rule)
        start = min([*before, *after]) + 9
        if rule.source == rule.target:
            start += LOOP
        room = self._width - MARGIN - start
        if (width := self._width_of(rule)) > room:
            start -= width - room
        yield f'<text class="label" x="{start:g}" y="{y - 7:g}" font-size="12" {_HALO}>{escape(_headline(rule))}</text>'
        if rule.gates:
            needs = escape(_needs(rule))
            yield f'<text class="needs" x="{start:g}" y="{y + 13:g}" font-size="10.5" {_HALO}>{needs}</text>'

    def _width_of(self, rule: Transition) -> float:
        return max(len(_headline(rule)) * LETTER, len(_needs(rule)) * SMALL_LETTER)


_STROKE = 'stroke="currentColor"'
_MIDDLE = 'text-anchor="middle"'
_HALO = 'stroke="Canvas" stroke-width="4" stroke-linejoin="round" paint-order="stroke"'


def _headline(rule: Transition) -> str:
    where = " (from any)" if rule.source == ANY else " (to where it was)" if rule.target == RESTORE else ""
    return f"{rule.label}{where} · {_by(rule)}"


def _needs(rule: Transition) -> str:
    return "needs " + "; ".join(each.words for each in rule.gates) if rule.gates else ""


def _head(x: float, y: float, side: int) -> str:
    """The head of an arrow that ends at x, and comes from the right (1) or the left (-1)."""
    return f'<path d="M{x + side:g},{y:g} l{side * HEAD * 1.4:g},{-HEAD * 0.7:g} v{HEAD * 1.4:g} z"/>'


def _marks(state: State) -> str:
    marks = {"begins": state.begins, "final": state.is_final, "claimed": state.is_claimed, "interrupts": state.saves}
    return ", ".join(name for name, holds in marks.items() if holds)


def _short(title: str) -> str:
    return escape(title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 1]}…")
