"""The words of Guatemala Café."""
