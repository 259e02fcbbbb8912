"""The connection of every IDE and agent: detected, planned, shown, applied, verified, undone."""
