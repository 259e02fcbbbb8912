"""What an export is: its records, those of kinds without one of their own, its header and its published schema."""
