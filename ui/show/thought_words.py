"""What is stored of thoughts as a code, in the words that people read."""

from types import MappingProxyType

from bigmind.brain.categories import TEMPLATES

CATEGORY_WORDS = MappingProxyType(
    {
        "state_snapshot": "Snapshot",
        "decision_record": "Decision",
        "operational_learning": "Learning",
        "task_outcome": "Outcome",
        "correction": "Correction",
        "domain_summary": "Summary",
        "uncategorized": "No category",
    }
)
CATEGORY_MEANINGS = MappingProxyType(
    {
        "state_snapshot": "How a topic stands, as of a day.",
        "decision_record": "What was decided, why now, and which alternative lost.",
        "operational_learning": "An insight, when it shows, and what to do next time.",
        "task_outcome": "What was done, and what shows it.",
        "correction": "What was believed and is wrong, and what is right.",
        "domain_summary": "What a whole topic comes to.",
        "uncategorized": "It can be given one later.",
    }
)
FLAG_WORDS = MappingProxyType(
    {
        "keyword_echo": "repeats a question",
        "orphaned_reference": "points elsewhere",
        "naked_statement": "nothing to act on",
        "near_duplicate": "said before",
        "missing_fields": "incomplete",
        "contradicts_correction": "contradicts a correction",
        "stale": "out of date",
    }
)
FLAG_MEANINGS = MappingProxyType(
    {
        "keyword_echo": "Most of its words are those of a question its agent had just asked. Answers rank it lower.",
        "orphaned_reference": "It says “see …” and little else: who reads it later has to look elsewhere.",
        "naked_statement": "It holds no number, name, date, path or reason, so there is nothing to act on.",
        "near_duplicate": "Another thought says the same. Answers rank it lower; consolidating both keeps one.",
        "missing_fields": "Its category asks for more than it holds.",
        "contradicts_correction": "It is nearer to something that was corrected than to the correction.",
        "stale": "It tells of a day more than two weeks back. Answers rank it lower; refining it brings it up to date.",
    }
)
SOURCE_WORDS = MappingProxyType(
    {"task": "Task", "file": "File", "commit": "Commit", "url": "Address", "memory": "From memory"}
)
OUTCOME_WORDS = MappingProxyType(
    {
        "stored": "stored",
        "answered": "",
        "too_short": "not stored: too short",
        "question": "answered as a question",
        "follow_up": "not stored: a follow-up",
    }
)
THOUGHT_WORDS = MappingProxyType(
    {
        "categories": CATEGORY_WORDS,
        "meanings": CATEGORY_MEANINGS,
        "flags": FLAG_WORDS,
        "flag_meanings": FLAG_MEANINGS,
        "sources": SOURCE_WORDS,
        "outcomes": OUTCOME_WORDS,
        "templates": TEMPLATES,
    }
)
"""All of it, for the templates."""
