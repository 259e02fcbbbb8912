"""The categories of thoughts: what each must hold, and the form that its text takes. Pure.

What is missing is named and never refused. The parts of a decision are looked for by words: a decision that is told in
other words is one that its reader may not recognise either.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType

from bigmind.brain.rules import CORRECTION_CATEGORY, SNAPSHOT, SUMMARY
from bigmind.text.lazy_pattern import lazy_pattern

DECISION, LEARNING, OUTCOME = "decision_record", "operational_learning", "task_outcome"
UNCATEGORIZED = "uncategorized"
TASK = "task"
"""The type of source that an outcome needs."""

CATEGORIES = (SNAPSHOT, DECISION, LEARNING, OUTCOME, CORRECTION_CATEGORY, SUMMARY, UNCATEGORIZED)
TEMPLATES = MappingProxyType(
    {
        SNAPSHOT: (
            "{topic}, as of {date}: {status}. Decided: {decisions}. In the way: {blockers}. Next: {actions}. "
            "Dates: {milestones}."
        ),
        DECISION: (
            "Decision ({date}, {project}): {what was chosen}. Why now: {occasion}. Rather than {alternatives}, because "
            "{reasons}. Source: {reference}."
        ),
        LEARNING: (
            "Learned ({date}, {project}): {insight}. Seen when {situation}. So: {what to do next time}. "
            "Source: {reference}."
        ),
        OUTCOME: (
            "Outcome ({date}, {task}): {what was done}, shown by {evidence}. Open: {what is left}. Source: {task}."
        ),
    }
)
"""Of the categories that have one; people and assistants fill it in, no program does."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A thought as it is given; empty is not given. `temporal_scope` is an ISO date, `supersedes` are ids."""

    content: str
    category: str = UNCATEGORIZED
    topic: str = ""
    temporal_scope: str = ""
    source_type: str = ""
    source_value: str = ""
    alternatives: str = ""
    corrected_fact: str = ""
    correct_fact: str = ""
    supersedes: tuple[str, ...] = ()


_REQUIRED = {
    SNAPSHOT: ("topic", "temporal_scope", "source_ref"),
    DECISION: ("topic", "source_ref"),
    LEARNING: ("topic",),
    OUTCOME: ("source_ref",),
    CORRECTION_CATEGORY: ("corrected_fact", "correct_fact"),
    SUMMARY: ("topic",),
}

WHAT, OCCASION, ALTERNATIVE, REASON = "what was decided", "what brought it up", "an alternative", "why it lost"
"""The parts of a decision, as an answer names them."""


def _phrases(written: str) -> re.Pattern[str]:
    """Finds any of some phrases, which are patterns of whole words with semicolons between them."""
    told = "|".join(each.strip() for each in " ".join(written.split()).split(";"))
    return lazy_pattern(rf"(?<!\w)(?:{told})(?!\w)".replace("NAME", r"(?-i:[A-Z`][\w`.+#-]{0,60})"), re.IGNORECASE)


_DECIDED = _phrases(
    r"""
    decided; decision; chose; chosen; picked; opted; settled; agreed; voted; verdict; adopt(?:ed|s)?;
    (?:vote|choice) fell; letting go of; said (?:yes|no|goodbye) to; wins?; won; NAME it is;
    (?:go|going|went|stick|sticking|stay|staying|keep|keeping|proceed|live)s? with;
    we (?:now )?(?:use|keep|drop|take|move|switch|go|stay|build|buy|write|stop|start|run|pin|let|accept|allow);
    will (?:now )?\w+; shall; from now on; no longer; henceforth; going forward;
    (?:is|are|was|were|be|been|gets?) (?:now )?(?:replaced|migrated|switched|moved|dropped|retired|removed|introduced);
    (?:is|are|was|were|be|been|gets?) (?:now )?(?:pinned|kept|split|merged|deprecated|abandoned|rewritten|signed);
    (?:replace|move|switche|migrate|stay|drop|retire)[sd]? (?:to|on|with|at|from|the|our|an?|by|in|into|NAME);
    (?:^|(?<=[.:!] ))(?:dropp|keep|mov|switch|replac|adopt|retir|stay|us|go|remov)ing; entschieden; entscheidung;
    beschlossen; beschluss; (?:ge)?einigten?; gewählt; ab (?:jetzt|sofort); künftig; fiel auf;
    wir (?:bleiben|nehmen|nutzen|setzen|verwenden|wechseln|behalten|führen|stellen|verzichten|bauen|kaufen);
    décid\w+; décision; choisi\w*; choix; retenue?s?; adopt(?:é|ons); désormais; dorénavant;
    (?:nous|on) (?:gard|pass|utilis|rest|pren|abandonn|remplaç)\w+
    """
)
_UNDECIDED = _phrases(
    r"""
    no (?:conclusion|decision|consensus)(?: (?:yet|so far|was|has|is))?; undecided; not (?:yet )?decided;
    (?:yet|still) to be decided; decision (?:is |was )?(?:open|pending|postponed|deferred);
    noch (?:nicht|nichts) (?:entschieden|beschlossen); pas encore (?:décidé|tranché)
    """
)
_BROUGHT_UP = _phrases(
    r"""
    why now; occasion; trigger(?:ed|s)?; prompted; brought (?:it |this |that )?up; came up; started (?:it|this);
    (?:started|set) (?:it|this) off; motivat\w+; (?:background|context) ?:;
    (?:#+|\*\*) ?(?:background|context|problem|motivation); outage; incident; post-?mortem; audit(?:ors?|s)?;
    pen(?:etration)?[ -]?test; complain\w*; escalat\w+; deadline; vulnerabilit(?:y|ies); breach; data loss;
    end[ -]of[ -](?:life|support); eol; cve-\d[\d-]+; regulation; licen[cs]e change;
    price (?:rise|increase|change|hike); support tickets?; reorgani[sz]ation; request(?:ed)? (?:by|from|for);
    asked (?:for|to|us|whether|if); customers? (?:report|want|need|demand)\w*;
    after (?:the|an?|two|three|four|several|our|we|they|he|she|it|that|this|support|customers?|users?|NAME);
    following the; in the wake of; in response to; ever since; now that; as soon as;
    since (?:last|v?\d[\d.]*|version); since (?-i:January|February|March|April|May|June|July|August|September);
    since (?-i:October|November|December);
    since the (?:last |latest )?(?:outage|incident|migration|move|release|merge);
    since the (?:last |latest )?(?:upgrade|launch|switch|update|split|change); (?:keeps?|kept|started|began) \w+ing;
    ran (?:out of|into); we (?:hit|noticed|discovered); grew; grown; tripled; doubled; exceed(?:s|ed); fell over;
    went down; timed out; broke (?:in|on|again|twice|every); failed (?:in production|again|twice|every|last|during);
    no longer (?:works?|scales?|fits?|supported|enough|maintained); anlass; auslöser; nachdem;
    seit (?:der|dem|die|version|\d+); infolge; ausfall; vorfall; anfrage; beschwer\w+; gestiegen; suite (?:à|aux?);
    après (?:les?|la|l['’]\w+|une?|que); depuis (?:les?|la|l['’]\w+|que|\d+); à la demande; panne; plainte\w*;
    déclench\w+
    """
)
_LOSERS = _phrases(
    r"""
    rather than; instead of; alternatives?; alternatively; as opposed to; versus; vs; compared (?:to|with);
    over NAME; second choice; runner-up; other options?; options? (?:were|was|considered); considered; evaluated;
    weighed; tried; looked (?:at|into); trialled; rejected; discarded; ruled out; dismissed; turned down; passed on;
    lost; fell through; (?:decided|argued) against; fell short; on the table; out of the question; no option;
    (?:was|were|is|are) (?:also )?(?:out|dropped|not an option); doing nothing; status quo;
    (?:could|might|would) have; leav(?:e|ing) (?:it|them|this|things|everything) as; (?:(?<=,)|(?<=, )) ?not \w+;
    (?:and|but) (?:not|no longer) (?:on|in|with|by|via|at|through|the|an?|as|to);
    (?:mov|switch|migrat)\w* (?:\w+ ){0,4}from; replac(?:e[sd]?|ing) NAME; NAME (?:is|was|gets) replaced; statt;
    anstatt; anstelle; alternativen?; verworfen; abgelehnt; dagegen spr[aiä]ch\w*; erwogen; schied\w* aus;
    plutôt qu\w*; au lieu d\w*; écartée?s?; rejetée?s?; envisagée?s?; autre option
    """
)
_WHY_IT_LOST = _phrases(
    r"""
    because; since; as (?:it|they|we|the|its|this|that|there|our|nobody|no); due to; owing to;
    for (?:lack|want|fear) of; so that; which (?:is why|means|would); reasons?; rationale; justification; otherwise;
    given that; but then; too \w+; not (?:enough|worth); lack\w*; missing; unmaintained; unsupported; expensive;
    costly; slower; overkill; immature; no (?:support|api|access|way|plan|licen[cs]e|room|maintainer); would; cannot;
    costs?; needs; requires; hides?; leaks?; breaks; fails; (?:ca|do|does|did|could|wo)n['’]t;
    (?:do|does|did|could|can) not; (?:dropped|rejected) (?:over|for); lost (?:over|for|on|by); out (?:over|for);
    weil; denn; da (?:die|der|das|es|wir|sich); damit; zu (?:teuer|langsam|komplex|groß|schwer); wegen; aufgrund;
    fehlt; dagegen sprach; sonst; parce qu\w*; car; puisqu\w*; trop; faute d\w*; en raison; à cause; manque; sinon
    """
)
_SENTENCE_END = lazy_pattern(r"(?<=[.!?;])\s+|\n+")
# A section of alternatives, down to the end: what it says of them stands in no one place.
_SECTION = lazy_pattern(
    r"^\W*(?:considered )?(?:alternatives|options)(?: considered)?\W*$", re.IGNORECASE | re.MULTILINE
)
_LABEL = lazy_pattern(r"^\s*(?:other )?(?:alternatives?|options?|alternativen|considered)[^:.]{0,30}:", re.IGNORECASE)
# What is said of a loser where no word tells that it is the reason.
_SAID_OF_IT = lazy_pattern(r"(?::|\s[-–—])\s*\w+(?:\W+\w+){2}|\(\s*\w+(?:\s+\w+)+")


def _as_missing(draft: Draft, name: str) -> str:
    """How a field that does not hold is named; of the wrong kind of source, which would be right."""
    is_other = name == "source_ref" and bool(draft.source_type.strip() and draft.source_value.strip())
    return f"a task as source_ref (it names a {draft.source_type})" if is_other else name


def missing(draft: Draft, *, has_older_snapshot: bool = False) -> list[str]:
    """What the category of a draft requires and the draft does not hold.

    Args:
        draft: a contribution, or a thought that is categorised anew.
        has_older_snapshot: whether a living snapshot of its topic was there before it, which it does not refine.

    Returns:
        The names of inputs, of one that is of the wrong kind what would be right; then the parts of a decision's text.
    """
    found = [_as_missing(draft, name) for name in _REQUIRED.get(draft.category, ()) if not _holds(draft, name)]
    if draft.category == SNAPSHOT and has_older_snapshot and not draft.supersedes:
        found.append("supersedes")
    if draft.category == DECISION:
        found.extend(_missing_parts(draft.content, draft.alternatives))
    return found


def _holds(draft: Draft, name: str) -> bool:
    if name == "source_ref":
        is_right = draft.category != OUTCOME or draft.source_type == TASK
        return is_right and bool(draft.source_type.strip() and draft.source_value.strip())
    return bool(getattr(draft, name).strip())


def _missing_parts(content: str, alternatives: str) -> Iterator[str]:
    """The parts of a decision that are not found; none of a text in a script whose words are not known here."""
    text = f"{content}\n{alternatives}"
    if not _is_latin(text):
        return
    if not _DECIDED.search(text) or _UNDECIDED.search(text):
        yield WHAT
    if not _BROUGHT_UP.search(text):
        yield OCCASION
    if not alternatives.strip() and not _LOSERS.search(content):
        yield ALTERNATIVE
        yield REASON
    elif not _says_why(content, alternatives):
        yield REASON


def _says_why(content: str, alternatives: str) -> bool:
    """Whether a reason stands with a loser: in its sentence, in the next one, or in the field for alternatives."""
    sentences = _SENTENCE_END.split(content)
    losing = [place for place, each in enumerate(sentences) if _LOSERS.search(each)]
    section = _SECTION.search(content)
    told = [alternatives, *(sentences[place] for place in losing), content[section.end() :] if section else ""]
    told = [_LABEL.sub("", each) for each in told]
    next_ones = (sentences[place + 1] for place in losing if place + 1 < len(sentences))
    return any(_WHY_IT_LOST.search(each) or _SAID_OF_IT.search(each) for each in told) or any(
        _WHY_IT_LOST.search(each) for each in next_ones
    )


def _is_latin(text: str) -> bool:
    letters = [each for each in text if each.isalpha()]
    return 2 * sum(each < "\u0250" for each in letters) >= len(letters)
