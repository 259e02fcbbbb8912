"""Pages of the people whose memories are kept."""
