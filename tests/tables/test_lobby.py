"""Lobbies: joining, leaving, options, start; and changes of users' names."""

from __future__ import annotations

from unittest.mock import AsyncMock

import pytest

from bot.game.chance import KeyedChance, commitment
from bot.store import Unavailable
from bot.tables import OutboxKind, Status
from bot.tables.core import errors
from bot.tables.core.log import shuffle
from tests.tables.world import ANNA, BEN, CARA, KEY, NAMES, World, whole_record


async def test_a_tables_host_has_a_seat_also_after_a_restart(world: World) -> None:
    table = await world.tables.lobby.open("pebbles", ANNA, "Anna", 1, 500, {"length": "long"})
    assert (table.status, table.names, table.host) == (Status.LOBBY, ("Anna",), ANNA)
    assert table.options == {"length": "long"}
    assert (table.created, table.key_hash) == (world.clock.now(), commitment(KEY))
    other = await world.lobby(ANNA, BEN)
    assert other.options == {"length": "short"}, "not the default"
    await world.tables.lobby.set_reachable(other.id, BEN, False)
    other = await world.tables.lobby.add_computer(other.id, ANNA, "normal", name="Hal")
    assert [player.reachable for player in other.players[:2]] == [True, False]
    await world.reopen()
    assert await world.tables.reader.get(table.id) == table
    assert await world.tables.reader.get(other.id) == other
    with pytest.raises(errors.UnknownTable) as error:
        await world.tables.reader.get(77)
    assert error.value.facts == {"table": 77}


async def test_a_table_is_first_a_lobby_then_a_game(world: World) -> None:
    lobby, reader = world.tables.lobby, world.tables.reader
    for game, options, refusal in (
        ("chess", {}, errors.Rejected),
        ("pebbles", {"weather": "fair"}, errors.Rejected),
        ("pebbles", {"length": "endless"}, errors.Rejected),
    ):
        with pytest.raises(refusal):
            await lobby.open(game, ANNA, "Anna", 1, 500, options)
    assert await reader.find(500) == []
    table = (await world.lobby(ANNA, BEN)).id
    assert await reader.seq(table) == -1
    for early in (
        reader.seen(table, 0),
        world.tables.exports.game(table, 0),
        world.act(table, 0, "choose 1"),
        world.tables.leaving.resign(table, ANNA),
    ):
        with pytest.raises(errors.NotPlaying, match="not_started"):
            await early
    await lobby.start(table, BEN)
    for late in (
        lobby.join(table, CARA, "Cara"),
        lobby.leave(table, ANNA),
        lobby.start(table, ANNA),
        lobby.set_option(table, ANNA, "length", "long"),
    ):
        with pytest.raises(errors.Rejected, match="already_started"):
            await late


async def test_any_player_may_change_and_start_a_lobby_but_only_its_host_closes_it(
    world: World,
) -> None:
    lobby, table = world.tables.lobby, await world.lobby(ANNA)
    with pytest.raises(errors.Rejected, match="too_few_seats") as error:
        await lobby.start(table.id, ANNA)
    assert (error.value.code, error.value.facts) == ("too_few_seats", {"seats": 1, "needed": 2})
    table = await lobby.set_option(table.id, ANNA, "length", "long")
    assert table.options == {"length": "long"}
    with pytest.raises(errors.Rejected, match="unknown_option"):
        await lobby.set_option(table.id, ANNA, "length", "endless")
    (item,) = await world.tables.outbox.items(table.id)
    assert (item.kind, item.table, item.seq) == (OutboxKind.LOBBY, table.id, -1)
    await lobby.join(table.id, BEN, "Ben")
    with pytest.raises(errors.Rejected, match="already_seated") as twice:
        await lobby.join(table.id, BEN, "Ben")
    assert twice.value.facts == {"seat": 1}
    for refused in (
        lobby.set_option(table.id, CARA, "length", "short"),
        lobby.start(table.id, CARA),
    ):
        with pytest.raises(errors.Rejected, match="not_seated"):
            await refused
    full = await world.lobby(ANNA, BEN, CARA)
    for more in (
        lobby.join(full.id, 104, "Dora"),
        lobby.add_computer(full.id, ANNA, "normal", name="Hal"),
    ):
        with pytest.raises(errors.Rejected, match="table_full"):
            await more
    with pytest.raises(errors.Rejected, match="not_host"):
        await world.tables.leaving.abandon(full.id, BEN)
    closed = await world.tables.leaving.abandon(full.id, ANNA)
    assert closed.table.status is Status.ABANDONED
    assert (await lobby.start(table.id, BEN)).status is Status.PLAYING


async def test_seats_are_renumbered_when_a_player_leaves(world: World) -> None:
    table = await world.lobby(ANNA, BEN)
    await world.tables.lobby.add_computer(table.id, ANNA, "normal", name="Hugo")
    table = await world.tables.lobby.leave(table.id, BEN)
    assert [(player.seat, player.name) for player in table.players] == [(0, "Anna"), (1, "Hugo")]
    with pytest.raises(errors.Rejected, match="not_seated"):
        await world.tables.lobby.leave(table.id, BEN)
    await world.tables.lobby.join(table.id, CARA, "Cara")
    table = await world.tables.lobby.leave(table.id, ANNA)
    assert table.host == CARA, "the next person is not the host"
    assert (await world.tables.lobby.leave(table.id, CARA)).status is Status.ABANDONED
    assert await world.tables.reader.find(500) == []
    with pytest.raises(errors.NotPlaying, match="table_over"):
        await world.tables.lobby.join(table.id, BEN, "Ben")


async def test_seats_are_shuffled_by_the_tables_key(world: World) -> None:
    table = await world.game(ANNA, BEN, CARA)
    joined = ("Anna", "Ben", "Cara")
    order = shuffle(3, KeyedChance(KEY))
    assert order != (0, 1, 2), "choose a key that shuffles"
    assert table.names == tuple(joined[n] for n in order)
    assert await world.tables.reader.seat_of(table.id, ANNA) == table.names.index("Anna")
    record = await whole_record(world.tables, table.id)
    assert record.entries[0].action == "setup " + " ".join(map(str, order))


async def rename(world: World, user: int, guild: int | None, name: str) -> None:
    """Note a user's name, and wait until all tables have it."""
    await world.tables.people.note_name(user, guild, name)
    await world.tables.people.finish()


async def test_a_new_name_applies_to_the_open_tables_of_one_server(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = world.tables
    here, over = await world.game(ANNA, BEN), await world.game(ANNA, BEN)
    there = await tables.lobby.open("pebbles", ANNA, "Anna", 2, 600, {})
    direct = await tables.lobby.open("pebbles", ANNA, "Anna", None, 700, {})
    await world.all_abandon(over.id, ANNA, BEN)
    before = await world.actions(here.id)
    # A failed update is repeated the next time.
    with monkeypatch.context() as broken:
        broken.setattr(world.store, "commit", AsyncMock(side_effect=Unavailable("gone")))
        await rename(world, ANNA, 1, "Annabella")

    await rename(world, ANNA, 1, "Annabella")
    with monkeypatch.context() as watched:
        watched.setattr(world.store, "misnamed", query := AsyncMock(return_value=[]))
        await rename(world, ANNA, 1, "Annabella")
        assert not query.await_count, "a known name was looked up"

    assert sorted((await tables.reader.get(here.id)).names) == ["Annabella", NAMES[BEN]]
    for other in (there, direct, over):
        assert "Annabella" not in (await tables.reader.get(other.id)).names
    await rename(world, ANNA, None, "Annie")
    assert (await tables.reader.get(direct.id)).names == ("Annie",)
    assert await world.actions(here.id) == before
    await world.reopen()
    assert "Annabella" in (await world.tables.reader.get(here.id)).names
    assert await world.status(over.id) is Status.ABANDONED
