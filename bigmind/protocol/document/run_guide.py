"""What the guide says of protocol runs."""

from bigmind.core.kind import GuideSection

SECTIONS = (
    GuideSection(
        "session_start",
        "How a protocol run goes",
        (
            "- session_start begins one in a workspace that a person opened; it tells what blocks, and the checklist.",
            "- advance_phase moves on and stops at the first gate that blocks; validate_gate says how one stands.",
            "- get_blocked_reason says what is missing, and what to do about it.",
            "- BigMind looks at files, git and checks itself; record_evidence says where.",
            "- A statement opens no gate that BigMind can verify.",
            "- `force` moves on and leaves a violation; a MUST that is never made good leaves the run INCOMPLETE.",
            "- session_end takes the gates that are left, and closes the memory session with the same summary.",
        ),
    ),
)
