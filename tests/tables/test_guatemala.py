"""Tables of Guatemala Café: standing orders answer about blocks, which are sealed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import pytest

from bot.game.guatemala import GAME
from bot.game.guatemala.data import COLOUR_OF_KEY
from bot.game.guatemala.state import GuatemalaState
from bot.game.versions import Games, Versions
from bot.policy.guatemala.greedy import greedy
from bot.policy.guatemala.orders import ORDERS
from bot.tables import Table
from bot.tables.core.errors import StaleDecision
from bot.tables.core.model import OutboxKind
from tests.store.database import WAIT_S, Database
from tests.tables.world import ANNA, BEN, CARA, NAMES, World, whole_record


class GuatemalaWorld(World):
    """A world of Guatemala Café, at whose tables the first sack is taken in two actions."""

    async def started(self, *users: int) -> Table:
        """A game begun in which the buyer stands before the line of a sack."""
        lobby = self.tables.lobby
        first, *others = users
        made = await lobby.open("guatemala", first, NAMES[first], 1, 500, {"setup": "printed"})
        for user in others:
            made = await lobby.join(made.id, user, NAMES[user])
        made = await lobby.start(made.id, first)
        (placing,) = await self.tables.reader.pending(made.id)
        await self.tables.play.act(made.id, placing.seat, ("place", "t3"))
        return made

    async def state(self, table_id: int) -> GuatemalaState:
        """How things stand, secrets included."""
        now = (await self.tables._unit_of_work.cache.read(table_id)).position()
        assert isinstance(now.state, GuatemalaState)
        return now.state

    async def lines(self, table_id: int) -> list[tuple[int, str]]:
        """All actions, with their seats."""
        whole = await whole_record(self.tables, table_id)
        return [(entry.seat, entry.action) for entry in whole.entries]

    async def order(self, made: Table, seat: int, name: str) -> None:
        """The person at a seat gives a standing order."""
        user = made.players[seat].user
        assert user is not None
        await self.tables.orders.give(made.id, user, name, ORDERS[name].values[0])

    async def with_black(self, made: Table) -> int:
        """The seat that is not on turn, once it holds a black sack."""
        state = await self.state(made.id)
        assert state.players[1 - state.turn].hand[COLOUR_OF_KEY["black"]]
        return 1 - state.turn

    async def take(self, table_id: int) -> None:
        """The first seat moves the buyer before the black sack of the printed set-up and takes
        it; then orders answer."""
        seat = (await self.state(table_id)).turn
        await self.tables.play.act(table_id, seat, ("move", "1"))
        await self.tables.play.act(table_id, seat, ("take",))
        await self.tables.computers.rest(table_id, WAIT_S)


@pytest.fixture
async def world(database: Database) -> AsyncIterator[GuatemalaWorld]:
    """People at tables of Guatemala Café, whose standing orders are looked after."""
    made = GuatemalaWorld(
        database,
        games=Games((GAME,)),
        policies=Versions({"guatemala": {"normal": greedy}}),
        orders=Versions({"guatemala": ORDERS}),
    )
    await made.open()
    await made.tables.resume()
    yield made
    await made.close()


def answers(lines: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Who answered what about blocks."""
    return [(seat, line) for seat, line in lines if line.startswith("block")]


async def test_an_order_answers_at_once_and_its_person_is_told(world: GuatemalaWorld) -> None:
    made = await world.started(ANNA, BEN)
    seat = 1 - (await world.state(made.id)).turn
    held = (await world.state(made.id)).players[seat].hand[COLOUR_OF_KEY["black"]]
    await world.order(made, seat, "block_black")

    await world.take(made.id)

    line = "block yes" if held else "block no"
    assert answers(await world.lines(made.id)) == [(seat, line)]
    items = await world.tables.outbox.items(made.id)
    assert [row.seat for row in items if row.kind is OutboxKind.ORDER] == [seat]


@pytest.mark.parametrize(
    ("given", "answer"),
    [
        (("never_block", "block_scoreless", "block_black"), "yes"),
        (("never_block", "block_scoreless", "block_white"), "no"),
        (("never_block", "block_white"), "no"),
    ],
)
async def test_the_order_of_a_colour_answers_first_then_that_of_no_points_then_never(
    world: GuatemalaWorld, given: Sequence[str], answer: str
) -> None:
    made = await world.started(ANNA, BEN)
    seat = await world.with_black(made)
    for name in given:
        await world.order(made, seat, name)
    await world.take(made.id)
    assert answers(await world.lines(made.id)) == [(seat, f"block {answer}")]


async def test_an_answer_by_order_can_be_changed_until_it_counts(world: GuatemalaWorld) -> None:
    made = await world.started(ANNA, BEN, CARA)
    turn = (await world.state(made.id)).turn
    first, last = (turn + 1) % 3, (turn + 2) % 3
    await world.order(made, last, "block_black")
    await world.take(made.id)
    asked = {d.seat for d in await world.tables.reader.pending(made.id) if not d.optional}
    assert asked == {first}

    await world.tables.play.act(made.id, last, ("block", "no"))
    await world.tables.computers.rest(made.id, WAIT_S)
    await world.tables.play.act(made.id, first, ("block", "no"))

    _, *changed = answers(await world.lines(made.id))
    assert changed == [(last, "block no"), (first, "block no")]
    assert [d.kind for d in await world.tables.reader.pending(made.id)] == ["refill"]


async def test_an_order_answers_again_after_all_agreed_to_go_back(world: GuatemalaWorld) -> None:
    made = await world.started(ANNA, BEN)
    turn = (await world.state(made.id)).turn
    await world.order(made, 1 - turn, "never_block")
    await world.take(made.id)
    assert len(answers(await world.lines(made.id))) == 1
    back = await world.tables.undo_votes.round(made.id, ANNA)
    await world.tables.undo_votes.propose(made.id, ANNA, back.step)
    await world.tables.proposals.answer(made.id, BEN, "undo", agree=True)

    await world.take(made.id)

    assert len(answers(await world.lines(made.id))) == 2


async def test_all_of_ones_own_turn_is_taken_back_at_once(world: GuatemalaWorld) -> None:
    made = await world.started(ANNA, BEN)
    seat = (await world.state(made.id)).turn
    user = made.players[seat].user
    assert user is not None
    began = await world.tables.reader.seq(made.id)
    (before,) = await world.tables.reader.pending(made.id)
    undo = world.tables.undo_votes
    await world.tables.play.act(made.id, seat, ("move", "1"))
    await world.tables.play.act(made.id, seat, ("end",))

    back = await undo.turn(made.id, user)
    assert back.actions == (("move", "1"), ("end",))
    assert (back.count, back.why) == (2, "")
    with pytest.raises(StaleDecision):
        await undo.alone(made.id, user, back.step, back.step)

    await undo.alone(made.id, user, back.step, back.last)

    assert await world.tables.reader.pending(made.id) == (before,)
    assert (await world.lines(made.id))[-1][1] == f"@undo {began}"
    with pytest.raises(StaleDecision):
        await undo.alone(made.id, user, back.step, back.last)


async def test_an_earlier_turn_of_ones_own_is_not_part_of_this_one(world: GuatemalaWorld) -> None:
    made = await world.started(ANNA, BEN)
    seat = (await world.state(made.id)).turn
    other = made.players[1 - seat].user
    assert other is not None
    await world.tables.play.act(made.id, seat, ("move", "1"))
    await world.tables.play.act(made.id, seat, ("end",))
    await world.tables.play.act(made.id, 1 - seat, ("move", "1"))

    assert (await world.tables.undo_votes.turn(made.id, other)).actions == (("move", "1"),)
