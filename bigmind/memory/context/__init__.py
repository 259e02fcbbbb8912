"""What a conversation starts with."""
