"""Run by Alembic: migrates over the connection that bot.store.migrate hands over."""

from alembic import context

from bot.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite changes a table by making it anew.
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
