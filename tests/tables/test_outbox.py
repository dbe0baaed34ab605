"""Outbox items are written together with the action that causes them."""

from __future__ import annotations

import asyncio
from random import Random

from bot.tables import OutboxKind, Table
from tests.tables.world import ANNA, BEN, World

OutboxDraft = tuple[str, int | None, int]


async def outbox(world: World, table: Table) -> set[OutboxDraft]:
    """Kind, seat and entry of each item."""
    return {
        (each.kind.value, each.seat, each.seq) for each in await world.tables.outbox.items(table.id)
    }


async def acknowledge_all(world: World) -> None:
    await world.tables.outbox.acknowledge(await world.tables.outbox.items())


async def test_the_start_queues_the_board_and_a_hand_for_each_person(world: World) -> None:
    table = await world.lobby(ANNA, BEN)
    await world.tables.lobby.add_computer(table.id, ANNA)
    table = await world.tables.lobby.start(table.id, ANNA)
    hands = {("hand", player.seat, 0) for player in table.humans}
    assert len(hands) == 2
    assert await outbox(world, table) == {("lobby", None, 0), ("board", None, 0), *hands}


async def test_a_secret_is_queued_for_its_owner_and_the_board_when_others_are_awaited(
    world: World,
) -> None:
    table = await world.game(ANNA, BEN)
    await acknowledge_all(world)
    await world.tables.play.act(table.id, 0, ("choose", "1"))
    assert await outbox(world, table) == {("private", 0, 1), ("board", None, 1)}
    await acknowledge_all(world)
    await world.tables.play.act(table.id, 0, ("choose", "2"))
    assert await outbox(world, table) == {("private", 0, 2)}
    await acknowledge_all(world)
    await world.tables.play.act(table.id, 0, ("gift", "1"))
    assert await outbox(world, table) == {("private", 1, 3)}


async def test_a_hand_is_queued_for_whom_an_action_changed_it_but_not_where_it_was_ones_own(
    world: World,
) -> None:
    table = await world.game(ANNA, BEN)
    while (asked := (await world.tables.reader.pending(table.id))[0]).kind != "take":
        await world.tables.play.act(table.id, asked.seat, ("choose", "1"))
    taker = asked.seat
    await acknowledge_all(world)
    await world.tables.play.act(table.id, taker, ("take", "2"))
    assert not [draft for draft in await outbox(world, table) if draft[0] == "hand"]
    await world.tables.play.act(table.id, taker, ("gift", str(1 - taker)))
    seq = await world.tables.reader.seq(table.id) + 1
    await world.tables.play.act(table.id, 1 - taker, ("accept", "1"))
    hands = {draft for draft in await outbox(world, table) if draft[0] == "hand"}
    assert hands == {("hand", taker, seq)}


async def test_nobody_finds_an_item_before_the_table_that_it_tells_of(world: World) -> None:
    table = await world.lobby(ANNA)
    await acknowledge_all(world)

    async def seats_once_told() -> int:
        # Looks at every turn of the loop: the moment in between is short.
        while not await outbox(world, table):  # noqa: ASYNC110
            await asyncio.sleep(0)
        return len((await world.tables.reader.get(table.id)).players)

    looking = asyncio.create_task(seats_once_told())
    # It has been read once, and is known from then on.
    await asyncio.wait({looking}, timeout=0.05)
    await world.tables.lobby.add_computer(table.id, ANNA)
    assert await looking == 2


async def test_a_newer_board_takes_the_place_of_the_older_one(world: World) -> None:
    table = await world.game(ANNA, BEN)
    await world.tables.play.act(table.id, 0, ("choose", "1"))
    boards = [draft for draft in await outbox(world, table) if draft[0] == "board"]
    assert boards == [("board", None, 1)]


async def test_acknowledging_an_older_board_does_not_acknowledge_the_newer_one(
    world: World,
) -> None:
    table = await world.game(ANNA, BEN)
    items = await world.tables.outbox.items(table.id)
    await world.tables.play.act(table.id, 0, ("choose", "1"))
    await world.tables.outbox.acknowledge(items, table_id=table.id, posted_seq=0, panel_message=77)
    assert ("board", None, 1) in await outbox(world, table)


async def test_no_secret_is_queued_for_a_computer_player(world: World) -> None:
    table = await world.lobby(ANNA)
    await world.tables.lobby.add_computer(table.id, ANNA)
    table = await world.tables.lobby.start(table.id, ANNA)
    (computer,) = [player.seat for player in table.players if not player.is_human]
    await acknowledge_all(world)
    await world.tables.play.act(table.id, computer, ("choose", "1"))
    assert await outbox(world, table) == {("board", None, 1)}


async def test_the_end_is_queued_with_the_last_board(world: World) -> None:
    table = await world.game(ANNA, BEN)
    await world.play(table.id, 500, Random(3))
    last = await world.tables.reader.seq(table.id)
    assert {("board", None, last), ("end", None, last)} <= await outbox(world, table)


async def test_the_outbox_and_what_was_posted_survive_a_restart(world: World) -> None:
    table = await world.game(ANNA, BEN)
    await world.play(table.id, 5, Random(1))
    first, *rest = await world.tables.outbox.items()
    await world.tables.outbox.acknowledge([first], table_id=table.id, posted_seq=4, thread=900)
    await world.reopen()
    assert await world.tables.outbox.items() == rest
    table = await world.tables.reader.get(table.id)
    assert (table.posted_seq, table.thread, table.panel_message) == (4, 900, None)
    await world.tables.outbox.acknowledge([], table_id=table.id, panel_message=88)
    table = await world.tables.reader.get(table.id)
    assert (table.posted_seq, table.thread, table.panel_message) == (4, 900, 88)


async def test_whoever_is_replaced_leaves_a_board_in_the_outbox(world: World) -> None:
    table = await world.game(ANNA, BEN)
    await acknowledge_all(world)
    await world.tables.leaving.resign(table.id, ANNA)
    assert await outbox(world, table) == {("board", None, 1)}


async def test_items_of_all_tables_are_listed_oldest_first(world: World) -> None:
    first, second = await world.lobby(ANNA), await world.lobby(BEN)
    assert [(each.table, each.kind) for each in await world.tables.outbox.items()] == [
        (first.id, OutboxKind.LOBBY),
        (second.id, OutboxKind.LOBBY),
    ]
