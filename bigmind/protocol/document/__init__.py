"""What a session protocol asks for, as its document says it: pure, without a store."""
