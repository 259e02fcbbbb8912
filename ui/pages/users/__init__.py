"""The page of users and what each may do."""
