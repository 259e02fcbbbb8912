"""What BigMind costs: figures as ratios to a baseline that is measured in the same run. `python -m tests.bench`."""
