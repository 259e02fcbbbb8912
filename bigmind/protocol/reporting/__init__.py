"""What is told of a run: its checklist, state, history and violations, and whether the guide was served in it."""
