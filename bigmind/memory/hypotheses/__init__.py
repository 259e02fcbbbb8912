"""The thought journal: what was believed, and how it turned out."""
