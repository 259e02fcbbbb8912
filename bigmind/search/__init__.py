"""Recall: how text becomes searchable, and how a question becomes a query."""
