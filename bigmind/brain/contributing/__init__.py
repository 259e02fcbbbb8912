"""What becomes of a contribution: what it rests on, what it is like, how it is written down."""
