"""Text and its words, without a store: terms, excerpts, dates, tokens, likeness. Pure."""
