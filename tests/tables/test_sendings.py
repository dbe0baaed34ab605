"""Messages are numbered before they are sent, by kind; one that was not noted comes again."""

from __future__ import annotations

from bot.tables import Sending, Sent
from tests.tables.world import ANNA, BEN, World


async def test_a_message_is_the_next_of_its_kind_once_the_one_before_is_noted(world: World) -> None:
    table = (await world.game(ANNA, BEN)).id
    sendings = world.tables.sendings
    first = await sendings.next(table, "post")
    assert first == Sending(table, "post", 1, None, None)
    await sendings.begin(first, 4)
    await world.tables.paid((), sent=[Sent(first, 500, 9001, 4)])

    assert await sendings.next(table, "post") == Sending(table, "post", 2, 9001, None)
    assert await sendings.next(table, "news0") == Sending(table, "news0", 1, None, None)
    assert await sendings.next(table + 1, "post") == Sending(table + 1, "post", 1, None, None)


async def test_what_was_begun_and_not_noted_comes_again_also_after_a_restart(world: World) -> None:
    table = (await world.game(ANNA, BEN)).id
    for number, seq in enumerate((3, 5), 1):
        sending = await world.tables.sendings.next(table, "post")
        await world.tables.sendings.begin(sending, seq)
        if number == 1:
            await world.tables.paid((), sent=[Sent(sending, 500, 9001, seq)])
    await world.reopen()

    again = await world.tables.sendings.next(table, "post")
    assert again == Sending(table, "post", 2, 9001, 5)
    assert again.nonce == f"{table}.post.2"
