"""Full-text indexes made anew in short units of work: a new one is filled beside the old, and takes its name."""
