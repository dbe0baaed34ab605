"""The pictures of Guatemala Café."""
