"""A person's turn: the private panel, what they look at, and the commands of their moves."""
