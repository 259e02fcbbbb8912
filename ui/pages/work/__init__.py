"""The pages of work: the board, an item, the processes, the roles of assistants, and what waits for a person."""
