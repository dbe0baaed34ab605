"""Promises go with offers; the table keeps them, and holds nobody to them."""

from __future__ import annotations

import pytest

from bot.game.contract import SPECTATOR, Action
from bot.tables import (
    NothingOffered,
    NotYourPromise,
    PromiseClosed,
    PromiseStanding,
    PromiseTooLong,
    PromiseWithComputer,
    TableError,
    Terms,
)
from tests.tables.world import ANNA, BEN, CARA, World

BOTH = Terms("I choose 1", "  you\n choose  2 ")


async def promised(world: World, *answers: Action) -> int:
    """A game of three in which seat 0 has offered seat 1 a gift with promises both ways."""
    table = await world.game(ANNA, BEN, CARA)
    await world.tables.play.act(table.id, 0, ("gift", "1"), terms=BOTH, delivery="gift")
    for answer in answers:
        await world.tables.play.act(table.id, 1, answer)
    return table.id


async def user(world: World, table_id: int, seat: int) -> int:
    """Who sits there."""
    found = (await world.tables.reader.get(table_id)).players[seat].user
    assert found is not None
    return found


async def standings(world: World, table_id: int, observer: int = 0) -> list[PromiseStanding]:
    return [each.standing for each in await world.tables.reader.promises(table_id, observer)]


@pytest.mark.parametrize(
    ("answers", "after"),
    [
        ((), PromiseStanding.OFFERED),
        ((("choose", "1"),), PromiseStanding.OFFERED),
        ((("accept", "1"),), PromiseStanding.OPEN),
        ((("decline", "1"),), PromiseStanding.LAPSED),
    ],
)
async def test_a_promise_stands_and_falls_with_its_offer(
    world: World, answers: tuple[Action, ...], after: PromiseStanding
) -> None:
    table_id = await promised(world, *answers)
    before = await world.tables.reader.promises(table_id, 0)
    assert [(each.giver, each.receiver, each.words, each.standing) for each in before] == [
        (0, 1, "I choose 1", after),
        (1, 0, "you choose 2", after),
    ]
    await world.reopen()
    assert await world.tables.reader.promises(table_id, 0) == before


async def test_a_promise_is_heard_by_those_who_hear_the_offer(world: World) -> None:
    table_id = await promised(world)
    heard = [
        await world.tables.reader.events_since(table_id, 0, seat) for seat in (0, 1, 2, SPECTATOR)
    ]
    assert [[event.kind for event in events] for events in heard] == [
        ["offered", "promised", "promise_asked"],
        ["offered", "promised", "promise_asked"],
        [],
        [],
    ]
    # An export has the facts in this order.
    assert list(heard[0][1].facts.items()) == [
        *(("id", "1"), ("seat", 0), ("other", 1), ("words", "I choose 1"))
    ]
    assert [await standings(world, table_id, seat) for seat in (2, SPECTATOR)] == [[], []]
    # Memory does not reach back after a restart; what was heard comes from the log.
    await world.reopen()
    assert await world.tables.reader.events_since(table_id, 0, 1) == heard[1]
    again = await world.tables.play.act(table_id, 0, ("gift", "1"), terms=BOTH, delivery="gift")
    assert (again.repeated, list(again.events)) == (True, heard[0])
    assert len(await standings(world, table_id)) == 2


@pytest.mark.parametrize(
    ("action", "terms", "error"),
    [
        (("choose", "1"), Terms("that"), NothingOffered),
        (("gift", "2"), Terms("x" * 201), PromiseTooLong),
        (("gift", "1"), Terms(yours="that"), PromiseWithComputer),
    ],
)
async def test_a_promise_that_cannot_be_made_makes_no_offer_either(
    world: World, action: Action, terms: Terms, error: type[TableError]
) -> None:
    table = await world.lobby(ANNA, BEN)
    await world.tables.lobby.add_computer(table.id, ANNA)
    table = await world.tables.lobby.start(table.id, ANNA)
    # The seats are drawn, by a key that is always the same.
    assert [player.user for player in table.players] == [BEN, None, ANNA]
    with pytest.raises(error):
        await world.tables.play.act(table.id, 0, action, terms=terms)
    assert await world.tables.reader.seq(table.id) == 0
    assert await standings(world, table.id) == []


async def test_the_receiver_alone_judges_and_once(world: World) -> None:
    table_id = await promised(world)
    giver, receiver, third = [await user(world, table_id, seat) for seat in range(3)]
    with pytest.raises(PromiseClosed):
        await world.tables.promise_verdicts.mark(table_id, receiver, "1", PromiseStanding.KEPT)
    await world.tables.play.act(table_id, 1, ("accept", "1"))
    with pytest.raises(NotYourPromise):
        await world.tables.promise_verdicts.mark(table_id, third, "1", PromiseStanding.KEPT)

    for _ in range(2):
        marked = await world.tables.promise_verdicts.mark(
            table_id, receiver, "1", PromiseStanding.KEPT, delivery="mark"
        )
        assert (marked.words, marked.standing, marked.closed) == (
            "I choose 1",
            PromiseStanding.KEPT,
            2,
        )
    await world.reopen()

    with pytest.raises(PromiseClosed):
        await world.tables.promise_verdicts.mark(table_id, receiver, "1", PromiseStanding.BROKEN)
    await world.tables.promise_verdicts.mark(table_id, giver, "1", PromiseStanding.BROKEN)
    assert await standings(world, table_id) == [PromiseStanding.KEPT, PromiseStanding.BROKEN]
