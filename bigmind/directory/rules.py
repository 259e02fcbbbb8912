"""What each choice of a person lets the directory tell, in words: the pages and the commands say the same."""

from collections.abc import Mapping
from enum import StrEnum


class DirectoryChoice(StrEnum):
    """What the directory tells of a person."""

    OFF = "off"
    TOPICS = "topics"
    HEADLINES = "headlines"


SHOWN: Mapping[DirectoryChoice, str] = {
    DirectoryChoice.OFF: (
        "Nothing: you have no card, and no sum counts you. What you shared in the brain and promoted to company "
        "knowledge stays shared, and names you as before."
    ),
    DirectoryChoice.TOPICS: (
        "Your name, your role, the days of your first and last visit, on how many days and in how many sessions you "
        "worked, and the topics and projects of your ended sessions, by their names. So keep a secret out of the name "
        "of a project."
    ),
    DirectoryChoice.HEADLINES: (
        "All that topics tells, and the headline that an assistant gave each session it ended, with its day."
    ),
}
NEVER = (
    "Whatever you choose, the directory never tells facts, moments, summaries, hypotheses, your profile or private "
    "thoughts, nor a session that is open, flagged, hidden from the context, or forgotten. A change counts at once."
)
NOT_A_TEAM = (
    "The directory is for a team: several people on one BigMind server see there who works on what, as far as each "
    "of them chose. This BigMind is one person's, so that it tells nobody anything."
)
