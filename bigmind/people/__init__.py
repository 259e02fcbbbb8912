"""Who uses the store, and the tokens of their clients."""
