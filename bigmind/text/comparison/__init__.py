"""What a fact says to have changed, and of which thing: parts of how two facts are compared."""
