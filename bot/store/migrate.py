"""Brings a database to the current revision when the program starts."""

from __future__ import annotations

from functools import cache

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from bot.store.errors import NewerDatabase
from bot.store.failures import failure

MIGRATIONS = "bot.store:migrations"
"""As Alembic names what lies in a package."""


async def is_migrated(url: str) -> bool:
    """Whether a database is of the revision of this version, or of a newer one; of one that is
    empty it is not. Raises StoreError."""
    engine = create_async_engine(url, poolclass=NullPool, hide_parameters=True)
    try:
        async with engine.connect() as connection:
            found = await connection.run_sync(_revision)
    except (SQLAlchemyError, OSError) as error:
        raise failure(error) from error
    finally:
        await engine.dispose()
    return found == _scripts().get_current_head() or not (found is None or is_known(found))


def migrate(connection: sa.Connection) -> None:
    """Upgrades to the newest revision. Raises NewerDatabase and changes nothing."""
    found = _revision(connection)
    if found == _scripts().get_current_head():
        return
    if found is not None and not is_known(found):
        raise NewerDatabase(found)
    if connection.dialect.name == "sqlite":
        # Its driver would begin a transaction only at the first row that is written.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def is_known(revision: str) -> bool:
    """Whether this version of the program knows that revision of the database."""
    return revision in {script.revision for script in _scripts().walk_revisions()}


def _revision(connection: sa.Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


@cache
def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    return config
