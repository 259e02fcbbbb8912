"""BigMind: one long-term memory for every AI assistant on an engineer's machine."""

VERSION = "0.1.0"
