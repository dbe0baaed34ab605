"""People and computer players sit down, choose options and terms, and begin; how names change."""

from __future__ import annotations

import pytest

from bot.game.chance import KeyedChance, commitment
from bot.store import errors as store_errors
from bot.tables import OutboxKind, Status
from bot.tables.core import errors
from bot.tables.core.record import shuffle
from bot.tables.core.terms import HINTS, OFF, ON, OWN, term
from tests.tables.world import ANNA, BEN, CARA, KEY, NAMES, World, whole_record


async def test_whoever_opens_a_table_sits_at_it_also_after_a_restart(world: World) -> None:
    table = await world.tables.lobby.open("pebbles", ANNA, "Anna", 1, 500, {"length": "long"})
    assert (table.status, table.names, table.host) == (Status.LOBBY, ("Anna",), ANNA)
    assert table.options == {"length": "long"}
    assert (table.created, table.key_hash) == (world.clock.now(), commitment(KEY))
    other = await world.lobby(ANNA, BEN)
    assert other.options == {"length": "short"}, "the default"
    await world.tables.lobby.set_reachable(other.id, BEN, False)
    other = await world.tables.lobby.add_computer(other.id, ANNA)
    assert [player.reachable for player in other.players[:2]] == [True, False]
    await world.reopen()
    assert await world.tables.reader.get(table.id) == table
    assert await world.tables.reader.get(other.id) == other
    with pytest.raises(errors.UnknownTable) as error:
        await world.tables.reader.get(77)
    assert error.value.facts == {"table": 77}


async def test_what_is_not_on_offer_cannot_be_opened(world: World) -> None:
    for game, options, error in (
        ("chess", {}, errors.UnknownGame),
        ("pebbles", {"weather": "fair"}, errors.UnknownOption),
        ("pebbles", {"length": "endless"}, errors.UnknownOption),
    ):
        with pytest.raises(error):
            await world.tables.lobby.open(game, ANNA, "Anna", 1, 500, options)
    assert await world.tables.reader.find(500) == []


async def test_nobody_sits_twice_or_at_a_full_table(world: World) -> None:
    table = await world.lobby(ANNA, BEN)
    with pytest.raises(errors.AlreadySeated) as twice:
        await world.tables.lobby.join(table.id, BEN, "Ben")
    assert twice.value.facts == {"seat": 1}
    await world.tables.lobby.join(table.id, CARA, "Cara")
    with pytest.raises(errors.TableFull):
        await world.tables.lobby.join(table.id, 104, "Dora")
    with pytest.raises(errors.TableFull):
        await world.tables.lobby.add_computer(table.id, ANNA)


async def test_seats_close_up_when_somebody_leaves(world: World) -> None:
    table = await world.lobby(ANNA, BEN)
    await world.tables.lobby.add_computer(table.id, ANNA, name="Hugo")
    table = await world.tables.lobby.leave(table.id, BEN)
    assert [(player.seat, player.name) for player in table.players] == [(0, "Anna"), (1, "Hugo")]
    with pytest.raises(errors.NotSeated):
        await world.tables.lobby.leave(table.id, BEN)
    await world.tables.lobby.join(table.id, CARA, "Cara")
    table = await world.tables.lobby.leave(table.id, ANNA)
    assert table.host == CARA, "the next person, not the computer player"
    assert (await world.tables.lobby.leave(table.id, CARA)).status is Status.ABANDONED
    assert await world.tables.reader.find(500) == []
    with pytest.raises(errors.TableOver):
        await world.tables.lobby.join(table.id, BEN, "Ben")


async def test_computer_players_come_and_go(world: World) -> None:
    lobby, table = world.tables.lobby, await world.lobby(ANNA)
    await lobby.add_computer(table.id, ANNA)
    assert (await lobby.add_computer(table.id, ANNA)).names == ("Anna", "Normal 1", "Normal 2")
    table = await lobby.remove_computer(table.id, ANNA, seat=1)
    assert table.names == ("Anna", "Normal 2")
    await lobby.add_computer(table.id, ANNA, name="Hugo")
    table = await lobby.remove_computer(table.id, ANNA)
    assert table.names == ("Anna", "Normal 2")
    with pytest.raises(errors.NoComputer):
        await lobby.remove_computer(table.id, ANNA, seat=0)
    with pytest.raises(errors.UnknownPolicy):
        await lobby.add_computer(table.id, ANNA, "genius")


async def test_options_can_be_changed_by_who_sits_there(world: World) -> None:
    table = await world.lobby(ANNA)
    table = await world.tables.lobby.set_option(table.id, ANNA, "length", "long")
    assert table.options == {"length": "long"}
    with pytest.raises(errors.UnknownOption):
        await world.tables.lobby.set_option(table.id, ANNA, "length", "endless")
    with pytest.raises(errors.NotSeated):
        await world.tables.lobby.set_option(table.id, BEN, "length", "short")
    (item,) = await world.tables.outbox.items(table.id)
    assert (item.kind, item.table, item.seq) == (OutboxKind.LOBBY, table.id, -1)


async def test_the_host_can_close_the_lobby(world: World) -> None:
    table = await world.lobby(ANNA, BEN)
    with pytest.raises(errors.NotHost):
        await world.tables.leaving.abandon(table.id, BEN)
    closed = await world.tables.leaving.abandon(table.id, ANNA)
    assert closed.table.status is Status.ABANDONED
    assert [item.kind for item in await world.tables.outbox.items()] == [OutboxKind.LOBBY]


async def test_any_two_at_the_table_can_begin_but_nobody_else(world: World) -> None:
    table = await world.lobby(ANNA)
    with pytest.raises(errors.TooFewSeats) as error:
        await world.tables.lobby.start(table.id, ANNA)
    assert (error.value.code, error.value.facts) == ("too_few_seats", {"seats": 1, "needed": 2})
    await world.tables.lobby.join(table.id, BEN, "Ben")
    with pytest.raises(errors.NotSeated):
        await world.tables.lobby.start(table.id, CARA)
    assert (await world.tables.lobby.start(table.id, BEN)).status is Status.PLAYING


async def test_seats_are_shuffled_by_the_tables_own_chance(world: World) -> None:
    table = await world.game(ANNA, BEN, CARA)
    came = ("Anna", "Ben", "Cara")
    order = shuffle(3, KeyedChance(KEY))
    assert order != (0, 1, 2), "choose a key that shuffles"
    assert table.names == tuple(came[n] for n in order)
    assert await world.tables.reader.seat_of(table.id, ANNA) == table.names.index("Anna")
    record = await whole_record(world.tables, table.id)
    assert record.entries[0].action == "setup " + " ".join(map(str, order))


async def test_the_lobby_is_over_once_the_game_has_begun(world: World) -> None:
    table, lobby = await world.game(ANNA, BEN), world.tables.lobby
    for late in (
        lobby.join(table.id, CARA, "Cara"),
        lobby.leave(table.id, ANNA),
        lobby.start(table.id, ANNA),
        lobby.set_option(table.id, ANNA, "length", "long"),
    ):
        with pytest.raises(errors.AlreadyStarted):
            await late


async def test_there_is_nothing_to_see_before_the_game(world: World) -> None:
    table = await world.lobby(ANNA, BEN)
    assert await world.tables.reader.seq(table.id) == -1
    for early in (
        world.tables.reader.view(table.id, 0),
        world.tables.reader.export(table.id, 0),
        world.act(table.id, 0, "choose 1"),
        world.tables.leaving.resign(table.id, ANNA),
    ):
        with pytest.raises(errors.NotStarted):
            await early


async def test_tables_are_found_by_place_and_by_person(world: World) -> None:
    first, second = await world.lobby(ANNA), await world.lobby(BEN, ANNA)
    await world.tables.outbox.acknowledge((), table_id=second.id, thread=900, lobby_message=901)
    assert [table.id for table in await world.tables.reader.find(500)] == [second.id, first.id]
    (found,) = await world.tables.reader.find(900)
    assert (found.id, found.lobby_message) == (second.id, 901)
    assert [(table.id, seat) for table, seat in await world.tables.reader.seats_of(ANNA)] == [
        (first.id, 0),
        (second.id, 1),
    ]


async def test_whoever_plays_without_other_people_has_hints(world: World) -> None:
    lobby, table = world.tables.lobby, await world.lobby(ANNA)
    assert term(table, HINTS) == ON
    assert term(await lobby.add_computer(table.id, ANNA, "normal"), HINTS) == ON
    assert term(await lobby.join(table.id, BEN, "Ben"), HINTS) == OFF
    alone = await world.lobby(CARA)
    for chosen in (OFF, OWN, ON):
        for made, user in ((table, ANNA), (alone, CARA)):
            made = await lobby.set_option(made.id, user, HINTS, chosen)
            assert term(made, HINTS) == chosen
            assert HINTS not in made.options


async def acts(world: World, user: int, guild: int | None, name: str) -> None:
    """Somebody acts; returns once they are renamed, however slow the database is."""
    await world.tables.names.acts(user, guild, name)
    await world.tables.names.finish()


async def test_a_name_holds_for_the_open_tables_of_one_server(world: World) -> None:
    tables = world.tables
    here, over = await world.game(ANNA, BEN), await world.game(ANNA, BEN)
    there = await tables.lobby.open("pebbles", ANNA, "Anna", 2, 600, {})
    direct = await tables.lobby.open("pebbles", ANNA, "Anna", None, 700, {})
    await world.all_abandon(over.id, ANNA, BEN)
    before = await world.actions(here.id)

    await acts(world, ANNA, 1, "Annabella")

    assert sorted((await tables.reader.get(here.id)).names) == ["Annabella", NAMES[BEN]]
    for other in (there, direct, over):
        assert "Annabella" not in (await tables.reader.get(other.id)).names
    await acts(world, ANNA, None, "Annie")
    assert (await tables.reader.get(direct.id)).names == ("Annie",)
    assert await world.actions(here.id) == before
    await world.reopen()
    assert "Annabella" in (await world.tables.reader.get(here.id)).names
    assert await world.status(over.id) is Status.ABANDONED


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
