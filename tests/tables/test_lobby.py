"""People and computer players sit down, choose options, and begin."""

from __future__ import annotations

import pytest

from bot.game.chance import KeyedChance, commitment
from bot.tables import (
    AlreadySeated,
    AlreadyStarted,
    NoComputer,
    NotHost,
    NotSeated,
    NotStarted,
    OutboxKind,
    Status,
    TableFull,
    TableOver,
    TooFewSeats,
    UnknownGame,
    UnknownOption,
    UnknownPolicy,
    UnknownTable,
)
from bot.tables.core.record import shuffle
from tests.tables.world import ANNA, BEN, CARA, KEY, World, whole_record


async def test_whoever_opens_a_table_sits_at_it(world: World) -> None:
    table = await world.tables.lobby.open("pebbles", ANNA, "Anna", 1, 500, {"length": "long"})
    assert table.status is Status.LOBBY
    assert table.names == ("Anna",)
    assert table.host == ANNA
    assert table.options == {"length": "long"}
    assert table.created == world.clock.now()
    assert table.key_hash == commitment(KEY)
    assert await world.tables.reader.get(table.id) == table


async def test_options_not_chosen_have_their_defaults(world: World) -> None:
    assert (await world.lobby(ANNA)).options == {"length": "short"}


async def test_a_table_is_the_same_after_a_restart(world: World) -> None:
    table = await world.lobby(ANNA, BEN)
    table = await world.tables.lobby.add_computer(table.id, ANNA)
    await world.reopen()
    assert await world.tables.reader.get(table.id) == table


@pytest.mark.parametrize(
    ("game", "options", "error"),
    [
        ("chess", {}, UnknownGame),
        ("pebbles", {"weather": "fair"}, UnknownOption),
        ("pebbles", {"length": "endless"}, UnknownOption),
    ],
)
async def test_what_is_not_on_offer_cannot_be_opened(
    world: World, game: str, options: dict[str, str], error: type[Exception]
) -> None:
    with pytest.raises(error):
        await world.tables.lobby.open(game, ANNA, "Anna", 1, 500, options)
    assert await world.tables.reader.find(500) == []


async def test_nobody_sits_twice_or_at_a_full_table(world: World) -> None:
    table = await world.lobby(ANNA, BEN)
    with pytest.raises(AlreadySeated) as twice:
        await world.tables.lobby.join(table.id, BEN, "Ben")
    assert twice.value.facts == {"seat": 1}
    await world.tables.lobby.join(table.id, CARA, "Cara")
    with pytest.raises(TableFull):
        await world.tables.lobby.join(table.id, 104, "Dora")
    with pytest.raises(TableFull):
        await world.tables.lobby.add_computer(table.id, ANNA)


async def test_seats_close_up_when_somebody_leaves(world: World) -> None:
    table = await world.lobby(ANNA, BEN, CARA)
    table = await world.tables.lobby.leave(table.id, BEN)
    assert [(player.seat, player.name) for player in table.players] == [(0, "Anna"), (1, "Cara")]
    with pytest.raises(NotSeated):
        await world.tables.lobby.leave(table.id, BEN)


async def test_the_host_hands_on_to_the_next_person(world: World) -> None:
    table = await world.lobby(ANNA)
    await world.tables.lobby.add_computer(table.id, ANNA)
    await world.tables.lobby.join(table.id, BEN, "Ben")
    assert (await world.tables.lobby.leave(table.id, ANNA)).host == BEN


async def test_the_last_person_to_leave_closes_the_table(world: World) -> None:
    table = await world.lobby(ANNA)
    await world.tables.lobby.add_computer(table.id, ANNA)
    assert (await world.tables.lobby.leave(table.id, ANNA)).status is Status.ABANDONED
    assert await world.tables.reader.find(500) == []
    with pytest.raises(TableOver):
        await world.tables.lobby.join(table.id, BEN, "Ben")


async def test_computer_players_come_and_go(world: World) -> None:
    table = await world.lobby(ANNA)
    await world.tables.lobby.add_computer(table.id, ANNA)
    table = await world.tables.lobby.add_computer(table.id, ANNA)
    assert table.names == ("Anna", "Normal 1", "Normal 2")
    table = await world.tables.lobby.remove_computer(table.id, ANNA, seat=1)
    assert table.names == ("Anna", "Normal 2")
    table = await world.tables.lobby.add_computer(table.id, ANNA, name="Hugo")
    table = await world.tables.lobby.remove_computer(table.id, ANNA)
    assert table.names == ("Anna", "Normal 2")
    with pytest.raises(NoComputer):
        await world.tables.lobby.remove_computer(table.id, ANNA, seat=0)


async def test_an_unknown_computer_player_is_refused(world: World) -> None:
    table = await world.lobby(ANNA)
    with pytest.raises(UnknownPolicy):
        await world.tables.lobby.add_computer(table.id, ANNA, "genius")


async def test_options_can_be_changed_by_who_sits_there(world: World) -> None:
    table = await world.lobby(ANNA)
    table = await world.tables.lobby.set_option(table.id, ANNA, "length", "long")
    assert table.options == {"length": "long"}
    with pytest.raises(UnknownOption):
        await world.tables.lobby.set_option(table.id, ANNA, "length", "endless")
    with pytest.raises(NotSeated):
        await world.tables.lobby.set_option(table.id, BEN, "length", "short")


async def test_a_player_who_cannot_be_reached_is_remembered(world: World) -> None:
    table = await world.lobby(ANNA, BEN)
    await world.tables.lobby.set_reachable(table.id, BEN, False)
    await world.reopen()
    table = await world.tables.reader.get(table.id)
    assert [player.reachable for player in table.players] == [True, False]


async def test_the_host_can_close_the_lobby(world: World) -> None:
    table = await world.lobby(ANNA, BEN)
    with pytest.raises(NotHost):
        await world.tables.leaving.abandon(table.id, BEN)
    closed = await world.tables.leaving.abandon(table.id, ANNA)
    assert closed.table.status is Status.ABANDONED
    assert [item.kind for item in await world.tables.outbox.items()] == [OutboxKind.LOBBY]


async def test_two_are_needed_to_begin(world: World) -> None:
    table = await world.lobby(ANNA)
    with pytest.raises(TooFewSeats) as error:
        await world.tables.lobby.start(table.id, ANNA)
    assert error.value.facts == {"seats": 1, "needed": 2}
    assert error.value.code == "too_few_seats"


async def test_anyone_at_the_table_may_begin_but_nobody_else(world: World) -> None:
    table = await world.lobby(ANNA, BEN)
    with pytest.raises(NotSeated):
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
    table = await world.game(ANNA, BEN)
    with pytest.raises(AlreadyStarted):
        await world.tables.lobby.join(table.id, CARA, "Cara")
    with pytest.raises(AlreadyStarted):
        await world.tables.lobby.leave(table.id, ANNA)
    with pytest.raises(AlreadyStarted):
        await world.tables.lobby.start(table.id, ANNA)
    with pytest.raises(AlreadyStarted):
        await world.tables.lobby.set_option(table.id, ANNA, "length", "long")


async def test_there_is_nothing_to_see_before_the_game(world: World) -> None:
    table = await world.lobby(ANNA, BEN)
    assert await world.tables.reader.seq(table.id) == -1
    with pytest.raises(NotStarted):
        await world.tables.reader.view(table.id, 0)
    with pytest.raises(NotStarted):
        await world.tables.play.act(table.id, 0, ("choose", "1"))
    with pytest.raises(NotStarted):
        await world.tables.leaving.resign(table.id, ANNA)


async def test_an_unknown_table_is_named(world: World) -> None:
    with pytest.raises(UnknownTable) as error:
        await world.tables.reader.get(77)
    assert error.value.facts == {"table": 77}


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


async def test_each_change_of_the_lobby_leaves_one_message_to_be_sent(world: World) -> None:
    table = await world.lobby(ANNA, BEN)
    await world.tables.lobby.set_option(table.id, ANNA, "length", "long")
    (item,) = await world.tables.outbox.items(table.id)
    assert (item.kind, item.table, item.seq) == (OutboxKind.LOBBY, table.id, -1)
