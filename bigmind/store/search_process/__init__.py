"""What the process that searches reads of a store's file, and holds of it in memory: signs, vectors, words."""
