"""What a person does about protocol runs: workspaces, texts and commands, in person; and looking through runs."""
