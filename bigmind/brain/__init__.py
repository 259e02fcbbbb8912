"""The brain: thoughts that agents share, that rise when used and fade when not."""
