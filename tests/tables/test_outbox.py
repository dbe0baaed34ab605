"""The outbox: items are queued with their change; messages are numbered and noted."""

from __future__ import annotations

import asyncio
from random import Random
from unittest.mock import AsyncMock

import pytest

from bot.store import NumberedMessageRow, Unavailable
from bot.tables import NumberedMessage, OutboxKind, SentMessage, StoreUnavailable, Table
from tests.tables.world import ANNA, BEN, World

OutboxDraft = tuple[str, int | None, int]


async def outbox(world: World, table: Table) -> set[OutboxDraft]:
    """Return the kind, seat and log entry of each item."""
    return {
        (each.kind.value, each.seat, each.seq) for each in await world.tables.outbox.items(table.id)
    }


async def test_the_start_queues_the_board_and_a_hand_for_each_person(world: World) -> None:
    table = await world.lobby(ANNA, BEN)
    await world.tables.lobby.add_computer(table.id, ANNA, "normal", name="Hal")
    table = await world.tables.lobby.start(table.id, ANNA)
    hands = {("hand", player.seat, 0) for player in table.humans}
    assert len(hands) == 2
    assert await outbox(world, table) == {("lobby", None, 0), ("board", None, 0), *hands}
    (computer,) = [player.seat for player in table.players if not player.is_human]
    await world.all_sent()
    await world.act(table.id, computer, "choose 1")
    assert await outbox(world, table) == {("board", None, 1)}


async def test_a_secret_is_queued_only_for_its_owner(world: World) -> None:
    table = await world.game(ANNA, BEN)
    for seq, action, queued in (
        (1, "choose 1", {("private", 0, 1), ("board", None, 1)}),
        (2, "choose 2", {("private", 0, 2)}),
        (3, "gift 1", {("private", 1, 3)}),
    ):
        await world.all_sent()
        assert (await world.act(table.id, 0, action))[0].seq == seq
        assert await outbox(world, table) == queued
    await world.all_sent()
    await world.tables.leaving.resign(table.id, ANNA)
    assert await outbox(world, table) == {("board", None, 4)}
    await world.play(table.id, 500, Random(3))
    last = await world.tables.reader.seq(table.id)
    assert {("board", None, last), ("end", None, last)} <= await outbox(world, table)


async def test_a_hand_is_queued_when_another_player_changes_it(world: World) -> None:
    table = await world.game(ANNA, BEN)
    while (asked := (await world.tables.reader.pending(table.id))[0]).kind != "take":
        await world.act(table.id, asked.seat, "choose 1")
    taker = asked.seat
    await world.all_sent()
    await world.act(table.id, taker, "take 2")
    assert not await world.queued(table.id, OutboxKind.HAND)
    await world.act(table.id, taker, f"gift {1 - taker}")
    accepted, _ = await world.act(table.id, 1 - taker, "accept 1")
    hands = {draft for draft in await outbox(world, table) if draft[0] == "hand"}
    assert hands == {("hand", taker, accepted.seq)}


async def test_no_outbox_item_is_visible_before_its_change(world: World) -> None:
    table = await world.lobby(ANNA)
    await world.all_sent()

    async def seats_when_queued() -> int:
        # Check in every iteration of the loop, as the gap would be short.
        while not await outbox(world, table):  # noqa: ASYNC110
            await asyncio.sleep(0)
        return len((await world.tables.reader.get(table.id)).players)

    checking = asyncio.create_task(seats_when_queued())
    # Let it read the outbox once, which is cached from then on.
    await asyncio.wait({checking}, timeout=0.05)
    await world.tables.lobby.add_computer(table.id, ANNA, "normal", name="Hal")
    assert await checking == 2


async def test_a_newer_board_replaces_the_older_one(world: World) -> None:
    table = await world.game(ANNA, BEN)
    items = await world.tables.outbox.items(table.id)
    await world.act(table.id, 0, "choose 1")
    boards = [draft for draft in await outbox(world, table) if draft[0] == "board"]
    assert boards == [("board", None, 1)]
    await world.tables.outbox.acknowledge(items, table_id=table.id, posted_seq=0, panel_message=77)
    assert ("board", None, 1) in await outbox(world, table)


async def test_the_outbox_and_posted_messages_survive_a_restart(world: World) -> None:
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


async def test_a_message_gets_the_next_number_once_the_one_before_is_noted(world: World) -> None:
    table = (await world.game(ANNA, BEN)).id
    outbox = world.tables.outbox
    first = await outbox.number(table, "post", 4)
    assert first == NumberedMessage(table, "post", 1, None, None)
    await outbox.acknowledge((), sent=[SentMessage(first, 500, 9001, 4)])

    second = NumberedMessage(table, "post", 2, 9001, None)
    assert await outbox.number(table, "post", 5) == second
    for other, kind in ((table, "news0"), ((await world.game(ANNA, BEN)).id, "post")):
        assert await outbox.number(other, kind, 0) == NumberedMessage(other, kind, 1, None, None)
    # A message that was begun but not noted is returned again, also after a restart.
    await world.reopen()
    repeated = await world.tables.outbox.number(table, "post", 6)
    assert repeated == NumberedMessage(table, "post", 2, 9001, 5)
    assert repeated.nonce == f"{table}.post.2"


async def test_a_reserved_number_covers_the_newest_action(world: World) -> None:
    table = await _posted(world)
    for seq in (1, 2):
        await world.play(table, 1, Random(1))
        # It was reserved in the action's own commit.
        begun = NumberedMessageRow(table, "post", 2, seq, 9001, noted=False)
        assert await _stored(world, table) == begun
    # The message may cover later entries than the action.
    numbered = await world.tables.outbox.number(table, "post", 3)
    assert numbered == NumberedMessage(table, "post", 2, 9001, None, reserved_seq=2)
    begun = NumberedMessageRow(table, "post", 2, 3, 9001, noted=False)
    assert await _stored(world, table) == begun


async def test_a_message_may_have_been_sent_once_its_number_is_requested(world: World) -> None:
    restarted, requested = [await _posted(world) for _ in range(2)]
    for table in (restarted, requested):
        await world.play(table, 1, Random(1))
    await world.tables.outbox.number(requested, "post", 1)
    # The next action does not change a message that may be on its way.
    await world.play(requested, 1, Random(1))
    repeated = await world.tables.outbox.number(requested, "post", 2)
    assert repeated == NumberedMessage(requested, "post", 2, 9001, 1)
    await world.reopen()
    repeated = await world.tables.outbox.number(restarted, "post", 2)
    assert repeated == NumberedMessage(restarted, "post", 2, 9001, 1)


async def test_an_action_that_is_not_stored_reserves_no_number(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await _posted(world)
    with monkeypatch.context() as full:
        full.setattr(world.store, "commit", AsyncMock(side_effect=Unavailable("The disk is full.")))
        with pytest.raises(StoreUnavailable):
            await world.play(table, 1, Random(1))

    numbered = await world.tables.outbox.number(table, "post", 1)
    assert numbered == NumberedMessage(table, "post", 2, 9001, None)


async def _posted(world: World) -> int:
    """Start a table whose first post is noted and whose further actions reserve the next one."""
    table = (await world.game(ANNA, BEN)).id
    first = await world.tables.outbox.number(table, "post", 0)
    await world.tables.outbox.acknowledge((), sent=[SentMessage(first, 500, 9001, 0)])
    world.tables.before_commit(lambda _after: "post")
    return table


async def _stored(world: World, table: int) -> NumberedMessageRow | None:
    """Return the newest post as stored in the database."""
    found = await world.store._all(NumberedMessageRow, table=table, what="post")
    return next(iter(found), None)
