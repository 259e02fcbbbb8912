"""The pages: what a person sees of their memory in a browser or in the app's window."""
