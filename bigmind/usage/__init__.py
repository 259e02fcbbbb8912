"""How clients use the memory, and what each is offered."""
