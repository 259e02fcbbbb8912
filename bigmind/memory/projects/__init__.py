"""The names of projects: one each, and the aliases that mean it."""
