"""What is counted: each measure with its name, its words for people, and from which rows it comes."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Theme(StrEnum):
    """What a measure is about."""

    CONVERSATIONS = "Conversations"
    BRAIN = "Questions and contributions"
    WORK = "Gates"
    REVIEW = "Reviews"
    RUNS = "Protocol runs"
    TOKENS = "Tokens"
    SERVER = "Outside of the gates"
    PEOPLE = "Your approvals"


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that is counted; counts of days, agents and projects can be added up.

    Attributes:
        name: stable, in exports.
        title: for people, a few words.
        about: what counts, in a sentence; from which rows.
        theme: what it is about.
        is_of_agents: whether an agent does it; else it is the server's, or a person's.
    """

    name: str
    title: str
    about: str
    theme: Theme
    is_of_agents: bool = True


_ALL = (
    Measure(
        "sessions_by_model",
        "Started by the assistant",
        "Memory sessions that the assistant opened itself, by the day they began.",
        Theme.CONVERSATIONS,
    ),
    Measure(
        "sessions_by_hook",
        "Started by a hook",
        "Memory sessions that only a hook opened, because the assistant did not.",
        Theme.CONVERSATIONS,
    ),
    Measure(
        "never_started",
        "Never started",
        "Conversations of two or more prompts that hooks reported and for which no session was opened.",
        Theme.CONVERSATIONS,
    ),
    Measure(
        "single_prompts",
        "Single prompts",
        "Conversations of at most one prompt without a session. Assistants are told to open none for a quick answer.",
        Theme.CONVERSATIONS,
    ),
    Measure(
        "without_hook",
        "Without a hook",
        "Sessions that the assistant opened and of which no hook ever reported a conversation.",
        Theme.CONVERSATIONS,
    ),
    Measure(
        "without_question",
        "Without a question",
        "Conversations in which the same assistant asked the brain nothing: on the same connection, or else before "
        "the conversation ended.",
        Theme.CONVERSATIONS,
    ),
    Measure(
        "without_run",
        "Without a run",
        "Sessions in the project of an opened workspace that belong to no protocol run.",
        Theme.CONVERSATIONS,
    ),
    Measure(
        "questions",
        "Questions",
        "Prompts in the brain's log that stored nothing.",
        Theme.BRAIN,
    ),
    Measure(
        "contributions",
        "Contributions",
        "Prompts in the brain's log that stored a thought.",
        Theme.BRAIN,
    ),
    Measure(
        "work_claimed",
        "Work claimed",
        "Times the agent claimed an item: the pieces of work.",
        Theme.BRAIN,
    ),
    Measure(
        "gate_questions",
        "Questions behind gates",
        "Questions that let a piece of work pass a gate.",
        Theme.BRAIN,
    ),
    Measure(
        "gate_contributions",
        "Contributions behind gates",
        "Contributions that let a piece of work pass a gate.",
        Theme.BRAIN,
    ),
    Measure(
        "gates_at_once",
        "Passed at once",
        "Gates of work items and protocol runs that passed and had not been refused in that state.",
        Theme.WORK,
    ),
    Measure(
        "gates_after_refusal",
        "Passed after a refusal",
        "Gates that passed after an earlier try in the same state was refused because of them.",
        Theme.WORK,
    ),
    Measure(
        "gates_forced",
        "Forced",
        "Gates that did not pass and that the agent forced its way past.",
        Theme.WORK,
    ),
    Measure("refusals", "Refused moves", "Moves of work items and protocol runs that were refused.", Theme.WORK),
    Measure(
        "reviewed_by_other",
        "Reviewed by another",
        "Moves out of a review by another agent than the one that did the work.",
        Theme.REVIEW,
    ),
    Measure(
        "self_reviewed",
        "Self-reviewed",
        "Moves out of a review by the agent that did the work, also under another name behind the slash.",
        Theme.REVIEW,
    ),
    Measure(
        "checked_by_other",
        "Checked by another",
        "Quality gates of nodes judged by another agent than the producer.",
        Theme.REVIEW,
    ),
    Measure(
        "self_checked",
        "Self-checked",
        "Quality gates of nodes judged by an agent that differs from the producer only behind the slash.",
        Theme.REVIEW,
    ),
    Measure("runs_started", "Runs started", "Protocol runs, by the day they began.", Theme.RUNS),
    Measure("runs_complete", "Complete", "Protocol runs that ended COMPLETE, by the day they ended.", Theme.RUNS),
    Measure("runs_incomplete", "Incomplete", "Protocol runs that ended INCOMPLETE.", Theme.RUNS),
    Measure("violations", "Violations", "Violations in protocol runs, by the day they happened.", Theme.RUNS),
    Measure(
        "violations_recovered",
        "Violations made good",
        "Violations that were made good later, by the day that happened.",
        Theme.RUNS,
    ),
    Measure("calls", "Calls", "Operations that the assistant called.", Theme.TOKENS),
    Measure(
        "tokens_served",
        "Tokens served",
        "Tokens of tool definitions and answers that the assistant was given (o200k, about).",
        Theme.TOKENS,
    ),
    Measure(
        "tokens_of_sources",
        "Tokens of sources",
        "Tokens of the stored entries that its searches and questions found, whole (about).",
        Theme.TOKENS,
    ),
    Measure(
        "tokens_spared",
        "Tokens spared (estimate)",
        "For each search or question: tokens of the entries it found, whole, less those of the answer; never below 0.",
        Theme.TOKENS,
    ),
    Measure(
        "server_stops",
        "Stops",
        "Times BigMind ended by itself or was told to.",
        Theme.SERVER,
        is_of_agents=False,
    ),
    Measure(
        "server_kills",
        "Kills",
        "Times BigMind was gone without a clean stop: killed, crashed or the computer went down. Counted at the next "
        "start.",
        Theme.SERVER,
        is_of_agents=False,
    ),
    Measure(
        "pauses",
        "Pauses",
        "Times BigMind was paused, so that nothing changes the memory.",
        Theme.SERVER,
        is_of_agents=False,
    ),
    Measure(
        "hooks_altered",
        "Altered hooks",
        "Times a connected assistant's files no longer held the hooks that BigMind wrote.",
        Theme.SERVER,
    ),
    Measure(
        "terminal_tokens",
        "Tokens made at the terminal",
        "Access tokens for this assistant that were made with `bigmind token create`.",
        Theme.SERVER,
    ),
    Measure(
        "yes_in_window",
        "In the app's window",
        "Confirmations of work, and quality gates judged, in the app's window.",
        Theme.PEOPLE,
        is_of_agents=False,
    ),
    Measure(
        "yes_by_passphrase",
        "With the passphrase",
        "Confirmations of work, and quality gates judged, on a page with the passphrase.",
        Theme.PEOPLE,
        is_of_agents=False,
    ),
)
MEASURES: Mapping[str, Measure] = {each.name: each for each in _ALL}
"""All of them by name, in the order in which they are shown."""
