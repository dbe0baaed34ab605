"""Brings a database to the current revision when the program starts."""

from __future__ import annotations

from functools import cache

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from bot.store.errors import NewerDatabase

MIGRATIONS = "bot.store:migrations"
"""As Alembic names what lies in a package."""


def migrate(connection: sa.Connection) -> None:
    """Upgrades to the newest revision. Raises NewerDatabase and changes nothing."""
    found = MigrationContext.configure(connection).get_current_revision()
    if found == _scripts().get_current_head():
        return
    if found is not None and not is_known(found):
        raise NewerDatabase(found)
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def is_known(revision: str) -> bool:
    """Whether this version of the program knows that revision of the database."""
    return revision in {script.revision for script in _scripts().walk_revisions()}


@cache
def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    return config
