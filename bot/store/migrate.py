"""Brings a database to the current revision when the program starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from bot.store.errors import BrokenDatabase, NewerDatabase
from bot.store.failures import failure
from bot.store.revisions import is_known, newest, revision_of
from bot.store.schema import metadata

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = "bot.store:migrations"
"""As Alembic names what lies in a package."""


async def is_migrated(url: str) -> bool:
    """Whether a database is of the revision of this version, or of a newer one; of one that is
    empty it is not. Raises StoreError."""
    # Only here: it brings all of SQLAlchemy's ORM along.
    from sqlalchemy.ext.asyncio import create_async_engine

    engine = create_async_engine(url, poolclass=NullPool, hide_parameters=True)
    try:
        async with engine.connect() as connection:
            found = await connection.run_sync(revision_of)
    except (SQLAlchemyError, OSError) as error:
        raise failure(error) from error
    finally:
        await engine.dispose()
    return found == newest() or not (found is None or is_known(found))


def migrate(connection: sa.Connection) -> None:
    """Upgrades to the newest revision. Raises NewerDatabase and changes nothing."""
    found = revision_of(connection)
    if found == newest():
        return
    if found is not None and not is_known(found):
        raise NewerDatabase(found)
    if found is None and (others := _of_others(connection)):
        raise BrokenDatabase(f"It is another program's: it has the table {others[0]}")
    # Only now: most starts find the newest revision, and keep what Alembic loads for good.
    from alembic import command

    if connection.dialect.name == "sqlite":
        # Its driver would begin a transaction only at the first row that is written.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    config = alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _of_others(connection: sa.Connection) -> list[str]:
    """The tables of another program in a database without a revision of ours.

    A server's may serve several programs, as long as their tables have other names.
    """
    names = sorted(sa.inspect(connection).get_table_names())
    is_file = connection.dialect.name == "sqlite"
    return [name for name in names if is_file or name in metadata.tables]


def alembic_config() -> Config:
    """Where Alembic finds the migrations."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    return config
