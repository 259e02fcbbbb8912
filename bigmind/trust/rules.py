"""The numbers of the usage report."""

USUAL_DAYS = 30
"""Of a report, where nobody says how many."""
MOST_DAYS = 3_660
"""Ten years."""
