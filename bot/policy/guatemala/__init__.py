"""Computer players of Guatemala Café."""
