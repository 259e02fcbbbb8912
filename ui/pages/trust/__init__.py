"""The page Usage, and the course of a protocol run."""
