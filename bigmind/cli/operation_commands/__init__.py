"""What a command is told of its operation: its record, its words, its help and its options."""
