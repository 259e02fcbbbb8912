"""What agents really do: counts over what was recorded, for the page Usage and `bigmind usage`. Only reads rows."""
