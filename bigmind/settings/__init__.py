"""What a person may set, where it is written, and what a running process has of it."""
