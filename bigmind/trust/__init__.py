"""What agents really do: counted over what was recorded, never over what was claimed."""
