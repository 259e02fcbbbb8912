"""`bigmind hook`: what IDEs run at their own moments. Imports almost nothing: an IDE waits for it."""
