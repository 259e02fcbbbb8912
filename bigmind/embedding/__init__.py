"""From texts to vectors, in a process of its own: its 250 MB come when they are needed and go when they are not."""
