"""What the command of an operation is called."""


def command_words(name: str) -> tuple[str, str]:
    """The group and the command of an operation: `feature verb-noun`, but for those that are named for models."""
    if name in NAMED_FOR_MODELS:
        return NAMED_FOR_MODELS[name]
    feature, _, verb = name.partition("_")
    return feature, verb.replace("_", "-")


NAMED_FOR_MODELS = {
    "query_brain": ("brain", "query"),
    "contribute_to_brain": ("brain", "contribute"),
    "session_start": ("protocol", "start"),
    "session_end": ("protocol", "end"),
    "validate_gate": ("protocol", "validate"),
    "advance_phase": ("protocol", "advance"),
    "record_evidence": ("protocol", "record"),
    "get_blocked_reason": ("protocol", "blocked"),
}
