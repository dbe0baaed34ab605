"""Messages are numbered before they are sent, by kind; one that was not acknowledged is sent
again."""

from __future__ import annotations

from bot.tables import NumberedMessage, SentMessage
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
