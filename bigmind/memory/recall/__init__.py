"""Finding again."""
