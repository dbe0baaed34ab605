"""The database is brought up to date when it is opened."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy.ext.asyncio import create_async_engine

from bot.store import BrokenDatabase, NewerDatabase, Store
from bot.store.migrate import migrate
from bot.store.schema import metadata
from tests.store.database import Database


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "100% new.sqlite"


async def test_the_migrations_make_what_the_models_say(database: Database) -> None:
    def compare(connection: sa.Connection) -> None:
        migrate(connection)
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
        assert sa.inspect(connection).get_table_names()

    engine = create_async_engine(database.url)
    async with engine.begin() as connection:
        await connection.run_sync(compare)
    await engine.dispose()


def test_names_of_constraints_and_indexes_agree_too(path: Path) -> None:
    made = {name: sa.create_engine("sqlite://") for name in ("models", "migrations")}
    with made["models"].begin() as connection:
        metadata.create_all(connection)
    with made["migrations"].begin() as connection:
        migrate(connection)
    names = {}
    for origin, engine in made.items():
        inspector = sa.inspect(engine)
        names[origin] = {
            table: (
                sorted(str(index["name"]) for index in inspector.get_indexes(table)),
                sorted(str(each["name"]) for each in inspector.get_unique_constraints(table)),
                sorted(str(each["name"]) for each in inspector.get_foreign_keys(table)),
                inspector.get_pk_constraint(table),
                sorted((each["name"], each["nullable"]) for each in inspector.get_columns(table)),
            )
            for table in metadata.tables
        }
        engine.dispose()
    assert names["models"] == names["migrations"]


async def test_a_database_that_is_up_to_date_is_left_alone(path: Path) -> None:
    for _ in range(2):
        store = await Store.open(f"sqlite+aiosqlite:///{path}")
        assert store.new_table_id() == 1
        await store.close()


async def test_a_newer_database_is_refused_with_the_reason(path: Path) -> None:
    url = f"sqlite+aiosqlite:///{path}"
    await (await Store.open(url)).close()
    engine = sa.create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(NewerDatabase, match=r"newer version of this program \(revision 9999\)"):
        await Store.open(url)


async def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "letter.sqlite"
    path.write_text("Dear Anna, " * 1000)
    with pytest.raises(BrokenDatabase, match="not a database"):
        await Store.open(f"sqlite+aiosqlite:///{path}")
