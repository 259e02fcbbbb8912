"""Who holds an item, how long, and at what an agent is at work."""
