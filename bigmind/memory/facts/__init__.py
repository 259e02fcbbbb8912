"""Facts: what stays true, where it came from, and what became of it."""
