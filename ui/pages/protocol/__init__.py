"""The pages of the session protocol: workspaces, and runs with their gates."""
