"""Looking after the memory: its health, forgetting, pruning, indexes made anew, secrets found."""
