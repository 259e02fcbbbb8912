"""What a person does about work, in person: confirming, processes and migrations, the roles of agents."""
