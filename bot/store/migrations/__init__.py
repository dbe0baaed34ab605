"""How the database came to be what it is, step by step, for Alembic."""
