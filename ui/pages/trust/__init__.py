"""The page Usage: what each assistant really does with the memory."""
