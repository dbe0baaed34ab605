"""The database is brought up to date when it is opened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.ext.asyncio import create_async_engine

from bot.store import WriteBatch, revisions
from bot.store.migrate import alembic_config, migrate
from bot.store.schema import metadata
from tests.store.database import BOTH, Database


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "100% new.sqlite"


@pytest.fixture
def engine(path: Path) -> Iterator[sa.Engine]:
    engine = sa.create_engine(f"sqlite:///{path}")
    yield engine
    engine.dispose()


@BOTH
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


def test_revisions_are_known_without_alembic_as_alembic_knows_them(engine: sa.Engine) -> None:
    scripts = ScriptDirectory.from_config(alembic_config())
    in_order = [script.revision for script in scripts.walk_revisions()][::-1]
    assert list(revisions.known()) == in_order
    assert revisions.newest() == scripts.get_current_head()
    with engine.begin() as connection:
        assert revisions.revision_of(connection) is None
        migrate(connection)
        noted = MigrationContext.configure(connection).get_current_revision()
        assert revisions.revision_of(connection) == noted == revisions.newest()


def _filled(connection: sa.Connection) -> dict[str, list[tuple[object, ...]]]:
    """A row or more in every table of a database, as it is before it is shared."""
    config = alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, "0011")
    # In the order in which they refer to one another.
    known = sa.MetaData()
    known.reflect(connection)
    for table in known.sorted_tables:
        if table.name != "alembic_version":
            for number in (3, 8):
                connection.execute(sa.insert(table).values(_row(table, number)))
    return _contents(connection, list(known.tables))


def _row(table: sa.Table, number: int) -> dict[str, object]:
    values: dict[type, object] = {
        int: number,
        bool: True,
        str: f"{number}",
        bytes: b"\0",
        float: 0.5,
        object: {},
    }
    return {each.name: values[each.type.python_type] for each in table.c}


def _contents(connection: sa.Connection, names: list[str]) -> dict[str, list[tuple[object, ...]]]:
    return {
        name: [tuple(row) for row in connection.execute(sa.text(f'SELECT * FROM "{name}"'))]
        for name in names
        if name != "alembic_version"
    }


@BOTH
async def test_a_database_with_games_keeps_every_row(database: Database) -> None:
    engine = create_async_engine(database.url)
    async with engine.begin() as connection:
        if database.server is not None:
            await connection.execute(sa.text("DROP SCHEMA public CASCADE"))
            await connection.execute(sa.text("CREATE SCHEMA public"))
        before = await connection.run_sync(_filled)
    async with engine.begin() as connection:
        await connection.run_sync(migrate)
        after = await connection.run_sync(_contents, list(before))
    await engine.dispose()
    # Each table has a revision now, and it is noted when somebody was last rung.
    before["tables"] = [(*row, 0) for row in before["tables"]]
    before["calls"] = [(*row, None) for row in before["calls"]]
    # A proposal is open, and votes are about what was proposed.
    before["proposals"] = [(*row, "open", None, None, None) for row in before["proposals"]]
    before["votes"] = [(table, kind, kind, *rest) for table, kind, *rest in before["votes"]]
    assert after == before
    assert all(len(rows) == 2 for rows in before.values())

    store = await database.open()
    assert await store.new_table_id() == 9
    batch = WriteBatch()
    batch.acknowledge(8, 8)
    batch.enqueue(3, "board", None, 0)
    await store.commit(batch)
    assert [row.id for row in await store.outbox()] == [3, 9]
    await store.close()


def test_what_others_mean_by_a_row_is_brought_up_to_date_and_can_go_back(
    engine: sa.Engine,
) -> None:
    with engine.begin() as connection:
        _filled(connection)
        config = alembic_config()
        config.attributes["connection"] = connection

        def found(query: str) -> list[tuple[object, ...]]:
            return [tuple(row) for row in connection.execute(sa.text(query))]

        for statement in (
            "INSERT INTO votes VALUES (3, 'abandon', 5, 20), (3, 'abandon', 4, 10)",
            # Whoever is known to want explanations votes on nothing, nor is there more to end.
            "INSERT INTO votes VALUES (3, 'explain', 4, 10), (8, 'abandon', 4, 10)",
            "UPDATE tables SET status = 'finished' WHERE id = 8",
            "UPDATE outbox SET kind = 'clock' WHERE id = 3",
        ):
            connection.execute(sa.text(statement))
        command.upgrade(config, "head")
        asked = 'SELECT "table", "by", word, "at" FROM proposals WHERE kind NOT IN (\'3\', \'8\')'
        voted = "SELECT \"table\", user, word FROM votes WHERE kind = 'abandon' ORDER BY 1, 2"
        due = "SELECT \"table\", seat FROM due WHERE kind = 'proposal.abandon'"
        sent = "SELECT kind FROM outbox ORDER BY id"
        for _ in range(2):
            assert found(asked) == [(3, 4, "", 10)]
            assert found(voted) == [(3, 4, ""), (3, 5, ""), (8, 4, "")]
            assert found(due) == [(3, -1)]
            assert found(sent)[0] == ("ring",)
            # An older program finds nothing that it does not know; a newer one, what it had.
            connection.execute(sa.text("UPDATE outbox SET kind = 'expired' WHERE id = 8"))
            connection.execute(sa.text("INSERT OR IGNORE INTO reviews VALUES (8, x'00')"))
            command.downgrade(config, "0013")
            assert found(sent) == [("clock",)]
            assert found(due) == []
            command.upgrade(config, "head")
        assert found("SELECT * FROM reviews") == [(8, b"\0")]


def test_a_migration_that_fails_changes_nothing(engine: sa.Engine) -> None:
    with engine.begin() as connection:
        before = _filled(connection)
        connection.execute(sa.text("CREATE TABLE new_outbox (x)"))
    with pytest.raises(sa.exc.OperationalError, match="new_outbox"), engine.begin() as connection:
        migrate(connection)
    with engine.connect() as connection:
        assert _contents(connection, list(before)) == before
        assert "leases" not in sa.inspect(connection).get_table_names()
