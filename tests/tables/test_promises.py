"""Promises go with offers; the table keeps them, and holds nobody to them."""

from __future__ import annotations

import pytest

from bot.game.contract import SPECTATOR
from bot.tables import PromiseStanding, Terms
from bot.tables.core import errors
from tests.tables.world import ANNA, BEN, CARA, World

BOTH = Terms("I choose 1", "  you\n choose  2 ")


async def promised(world: World, *answers: str) -> int:
    """A game of three in which seat 0 has offered seat 1 a gift with promises both ways."""
    table = (await world.game(ANNA, BEN, CARA)).id
    await world.act(table, 0, "gift 1", terms=BOTH, delivery=f"gift {table}")
    for answer in answers:
        await world.act(table, 1, answer)
    return table


async def standings(world: World, table_id: int, observer: int = 0) -> list[PromiseStanding]:
    return [each.standing for each in await world.tables.reader.promises(table_id, observer)]


async def test_a_promise_stands_and_falls_with_its_offer(world: World) -> None:
    found = {
        await promised(world): PromiseStanding.OFFERED,
        await promised(world, "choose 1"): PromiseStanding.OFFERED,
        await promised(world, "accept 1"): PromiseStanding.OPEN,
        await promised(world, "decline 1"): PromiseStanding.LAPSED,
    }
    for _ in range(2):
        for table_id, standing in found.items():
            promises = await world.tables.reader.promises(table_id, 0)
            assert [
                (each.giver, each.receiver, each.words, each.standing) for each in promises
            ] == [
                (0, 1, "I choose 1", standing),
                (1, 0, "you choose 2", standing),
            ]
        await world.reopen()


async def test_a_promise_is_heard_by_those_who_hear_the_offer(world: World) -> None:
    table = await promised(world)
    heard = [
        await world.tables.reader.events_since(table, 0, seat) for seat in (0, 1, 2, SPECTATOR)
    ]
    kinds = ["offered", "promised", "promise_asked"]
    assert [[event.kind for event in events] for events in heard] == [kinds, kinds, [], []]
    # An export has the facts in this order.
    assert list(heard[0][1].facts.items()) == [
        *(("id", "1"), ("seat", 0), ("other", 1), ("words", "I choose 1"))
    ]
    assert [await standings(world, table, seat) for seat in (2, SPECTATOR)] == [[], []]
    # Memory does not reach back after a restart; what was heard comes from the log.
    await world.reopen()
    assert await world.tables.reader.events_since(table, 0, 1) == heard[1]
    again = await world.act(table, 0, "gift 1", terms=BOTH, delivery=f"gift {table}")
    assert (again.repeated, list(again.events)) == (True, heard[0])
    assert len(await standings(world, table)) == 2


async def test_a_promise_that_cannot_be_made_makes_no_offer_either(world: World) -> None:
    table = (await world.lobby(ANNA, BEN)).id
    await world.tables.lobby.add_computer(table, ANNA)
    started = await world.tables.lobby.start(table, ANNA)
    # The seats are drawn, by a key that is always the same.
    assert [player.user for player in started.players] == [BEN, None, ANNA]
    for action, terms, error in (
        ("choose 1", Terms("that"), errors.NothingOffered),
        ("gift 2", Terms("x" * 201), errors.PromiseTooLong),
        ("gift 1", Terms(yours="that"), errors.PromiseWithComputer),
    ):
        with pytest.raises(error):
            await world.act(table, 0, action, terms=terms)
    assert await world.tables.reader.seq(table) == 0
    assert await standings(world, table) == []
    assert (await world.act(table, 0, "gift 2", terms=Terms("x" * 200))).seq == 1


async def test_the_receiver_alone_judges_and_once(world: World) -> None:
    table = await promised(world)
    giver, receiver, third = [await world.user_at(table, seat) for seat in range(3)]
    mark = world.tables.promise_verdicts.mark
    with pytest.raises(errors.PromiseClosed):
        await mark(table, receiver, "1", PromiseStanding.KEPT)
    await world.act(table, 1, "accept 1")
    with pytest.raises(errors.NotYourPromise):
        await mark(table, third, "1", PromiseStanding.KEPT)

    for _ in range(2):
        marked = await mark(table, receiver, "1", PromiseStanding.KEPT, delivery="mark")
        assert (marked.words, marked.standing) == ("I choose 1", PromiseStanding.KEPT)
        assert marked.closed == 2
    with pytest.raises(errors.PromiseClosed):
        await mark(table, receiver, "1", PromiseStanding.BROKEN)
    await mark(table, giver, "1", PromiseStanding.BROKEN)
    assert await standings(world, table) == [PromiseStanding.KEPT, PromiseStanding.BROKEN]
