"""What the guide says of thoughts: the form of each category, and when to write which."""

from bigmind.brain.categories import DECISION, OUTCOME, TASK, TEMPLATES
from bigmind.brain.rules import MOST_TAGS, SNAPSHOT, TOO_SHORT
from bigmind.core.kind import GuideSection

STATES = "contribute_to_brain"

FORMS = GuideSection(
    STATES,
    "How a thought is told",
    (
        f"One insight per call, in more than {TOO_SHORT} characters; these forms hold what their category needs:",
        *(f"- `{category}`: {form}" for category, form in TEMPLATES.items()),
        f"- Pass `topic` (pay/refunds) and `source_ref` (type {TASK}, file, commit or url, and value); of a",
        "  snapshot `temporal_scope` too.",
        f"- At most {MOST_TAGS} `tags`; without any, they are taken from topic and text.",
        "- What is missing is named in the answer: `refines` completes it, with the id.",
        "- `space`: shared is for every user's agents, private for those of yours; else a setting decides.",
    ),
)
OCCASIONS = GuideSection(
    STATES,
    "When to write a thought",
    (
        f"- A decision is a `{DECISION}`; a finished task is a `{OUTCOME}`.",
        "- After either, and at the end of a conversation on a topic that has a snapshot: refine that snapshot.",
        f"- Three or more short thoughts of a topic without a `{SNAPSHOT}`: consolidate them into one.",
        "- Something known turned out wrong: a `correction`, with `corrected_fact`, `correct_fact`, `supersedes`.",
        "- Nobody owns a topic. By custom the agent nearest to it keeps its snapshot: liaison of people and business,",
        "  pdsa of design, dev of implementation and deployment, qa of tests and defects.",
    ),
)
SECTIONS = (FORMS, OCCASIONS)
