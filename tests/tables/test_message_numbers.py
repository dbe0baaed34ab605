"""Messages are numbered before they are sent, by kind; one that was not acknowledged is sent
again."""

from __future__ import annotations

from random import Random

import pytest

from bot.store import NumberedMessageRow, Unavailable, WriteBatch
from bot.store.reading import Reads
from bot.tables import NumberedMessage, SentMessage, StoreUnavailable
from tests.store.database import FILE_ALONE
from tests.tables.world import ANNA, BEN, World


async def test_a_message_is_the_next_of_its_kind_once_the_one_before_is_noted(world: World) -> None:
    table = (await world.game(ANNA, BEN)).id
    message_numbers = world.tables.message_numbers
    first = await message_numbers.next(table, "post")
    assert first == NumberedMessage(table, "post", 1, None, None)
    await message_numbers.begin(first, 4)
    await world.tables.outbox.acknowledge((), sent=[SentMessage(first, 500, 9001, 4)])

    assert await message_numbers.next(table, "post") == NumberedMessage(
        table, "post", 2, 9001, None
    )
    assert await message_numbers.next(table, "news0") == NumberedMessage(
        table, "news0", 1, None, None
    )
    assert await message_numbers.next(table + 1, "post") == NumberedMessage(
        table + 1, "post", 1, None, None
    )


async def test_what_was_begun_and_not_noted_comes_again_also_after_a_restart(world: World) -> None:
    table = (await world.game(ANNA, BEN)).id
    for number, seq in enumerate((3, 5), 1):
        numbered = await world.tables.message_numbers.next(table, "post")
        await world.tables.message_numbers.begin(numbered, seq)
        if number == 1:
            await world.tables.outbox.acknowledge((), sent=[SentMessage(numbered, 500, 9001, seq)])
    await world.reopen()

    again = await world.tables.message_numbers.next(table, "post")
    assert again == NumberedMessage(table, "post", 2, 9001, 5)
    assert again.nonce == f"{table}.post.2"


@FILE_ALONE
async def test_what_is_begun_along_with_an_action_needs_no_commit_of_its_own(world: World) -> None:
    table = await _posted(world)
    await world.play(table, 1, Random(1))

    numbered = await world.tables.message_numbers.next(table, "post")
    assert numbered == NumberedMessage(table, "post", 2, 9001, None, ahead_seq=1)
    assert await _stored(world, table) == NumberedMessageRow(table, "post", 2, 1, 9001, noted=False)


@FILE_ALONE
async def test_it_tells_of_the_newest_action_before_anybody_asks(world: World) -> None:
    table = await _posted(world)
    for _ in range(2):
        await world.play(table, 1, Random(1))

    numbered = await world.tables.message_numbers.next(table, "post")
    assert numbered == NumberedMessage(table, "post", 2, 9001, None, ahead_seq=2)


@FILE_ALONE
async def test_once_somebody_has_asked_it_may_have_been_sent(world: World) -> None:
    table = await _posted(world)
    await world.play(table, 1, Random(1))
    numbered = await world.tables.message_numbers.next(table, "post")
    await world.tables.message_numbers.begin(numbered, 1)
    # The next action says nothing of a message that may be on its way.
    await world.play(table, 1, Random(1))

    again = await world.tables.message_numbers.next(table, "post")
    assert again == NumberedMessage(table, "post", 2, 9001, 1)


@FILE_ALONE
async def test_a_message_that_tells_of_more_than_the_action_is_noted_as_such(world: World) -> None:
    table = await _posted(world)
    await world.play(table, 1, Random(1))
    numbered = await world.tables.message_numbers.next(table, "post")
    await world.tables.message_numbers.begin(numbered, 2)

    assert await _stored(world, table) == NumberedMessageRow(table, "post", 2, 2, 9001, noted=False)


@FILE_ALONE
async def test_after_a_restart_one_that_was_begun_ahead_may_have_been_sent(world: World) -> None:
    table = await _posted(world)
    await world.play(table, 1, Random(1))
    await world.reopen()

    again = await world.tables.message_numbers.next(table, "post")
    assert again == NumberedMessage(table, "post", 2, 9001, 1)


@FILE_ALONE
async def test_an_action_that_is_not_stored_begins_no_message(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await _posted(world)
    with monkeypatch.context() as full:
        full.setattr(world.store, "commit", _full)
        with pytest.raises(StoreUnavailable):
            await world.play(table, 1, Random(1))

    numbered = await world.tables.message_numbers.next(table, "post")
    assert numbered == NumberedMessage(table, "post", 2, 9001, None)


async def _posted(world: World) -> int:
    """A table whose first post is noted, and of which each further action is posted at once."""
    table = (await world.game(ANNA, BEN)).id
    first = await world.tables.message_numbers.next(table, "post")
    await world.tables.outbox.acknowledge((), sent=[SentMessage(first, 500, 9001, 0)])
    world.tables.foresee(lambda _after: "post")
    return table


async def _stored(world: World, table: int) -> NumberedMessageRow | None:
    """The newest post as it is in the file."""
    return await Reads.numbered_message(world.store, table, "post")


async def _full(_batch: WriteBatch) -> None:
    raise Unavailable("The disk is full.")
