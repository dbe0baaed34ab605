"""Names follow their people at tables that go on, in one server at a time."""

from __future__ import annotations

import pytest

from bot.store import errors as store_errors
from bot.tables import Status
from tests.tables.world import ANNA, BEN, NAMES, World, whole_record


async def acts(world: World, user: int, guild: int | None, name: str) -> None:
    """Somebody acts; returns once they are renamed, however slow the database is."""
    await world.tables.names.acts(user, guild, name)
    await world.tables.names.finish()


async def test_a_name_holds_for_the_open_tables_of_one_server(world: World) -> None:
    tables = world.tables
    here = await world.game(ANNA, BEN)
    there = await tables.lobby.open("pebbles", ANNA, "Anna", 2, 600, {})
    direct = await tables.lobby.open("pebbles", ANNA, "Anna", None, 700, {})
    over = await world.game(ANNA, BEN)
    for user in (ANNA, BEN):
        await tables.leaving.abandon(over.id, user)

    await acts(world, ANNA, 1, "Annabella")

    assert "Annabella" in (await tables.reader.get(here.id)).names
    for other in (there, direct, over):
        assert "Annabella" not in (await tables.reader.get(other.id)).names
    await acts(world, ANNA, None, "Annie")
    assert (await tables.reader.get(direct.id)).names == ("Annie",)
    await world.reopen()
    assert "Annabella" in (await world.tables.reader.get(here.id)).names
    assert (await world.tables.reader.get(over.id)).status is Status.ABANDONED


async def test_a_game_goes_on_as_it_was_under_other_names(world: World) -> None:
    table = await world.game(ANNA, BEN)
    before = await whole_record(world.tables, table.id)

    await acts(world, BEN, 1, "Benjamin")

    after = await whole_record(world.tables, table.id)
    assert after.entries == before.entries
    assert sorted(after.seats) == sorted((NAMES[ANNA], "Benjamin"))


async def test_what_could_not_be_kept_is_kept_next_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await world.game(ANNA, BEN)

    async def gone(_: object) -> None:
        raise store_errors.Unavailable("gone")

    with monkeypatch.context() as broken:
        broken.setattr(world.store, "commit", gone)
        await acts(world, ANNA, 1, "Annabella")
    assert "Annabella" not in (await world.tables.reader.get(table.id)).names

    await acts(world, ANNA, 1, "Annabella")

    assert "Annabella" in (await world.tables.reader.get(table.id)).names


async def test_who_has_the_same_name_costs_the_database_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.game(ANNA, BEN)
    await acts(world, ANNA, 1, "Anna")

    async def asked(*_: object) -> list[int]:
        raise AssertionError("the database was asked again")

    monkeypatch.setattr(world.store, "misnamed", asked)
    for _ in range(3):
        await acts(world, ANNA, 1, "Anna")
