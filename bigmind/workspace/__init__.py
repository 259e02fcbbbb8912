"""What BigMind sees of a folder that a person opened: its files, its repository, its checks."""
