"""The revisions of the database, step by step, for Alembic."""
