"""Tables of Guatemala Café: standing orders about blocks, which are sealed; undo of turns."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial

import pytest

from bot.game.guatemala import GAME
from bot.game.guatemala.data import COLOUR_OF_KEY
from bot.game.guatemala.state import GuatemalaState
from bot.game.versions import Games, Versions
from bot.policy.guatemala.judgement import JUDGEMENT, ORDERS
from bot.store import OutboxKind
from bot.tables import Table
from bot.tables.core.errors import Rejected, StaleDecision
from bot.tables.undo import HowFar
from tests.store.database import WAIT_S, Database
from tests.tables.world import ANNA, BEN, CARA, World, whole_record


class GuatemalaWorld(World):
    """A world of Guatemala Café, where two actions take the first sack."""

    title = "guatemala"

    async def started(self, *users: int) -> Table:
        """Start a game with the buyer placed before the line of a sack."""
        made = await self.game(*users, setup="printed")
        await self.act(made.id, (await self.asked(made.id))[0], "place t3")
        return made

    async def state(self, table_id: int) -> GuatemalaState:
        now = (await self.tables._unit_of_work.cache.read(table_id)).position()
        assert isinstance(now.state, GuatemalaState)
        return now.state

    async def answers(self, table_id: int) -> list[tuple[int, str]]:
        entries = (await whole_record(self.tables, table_id)).entries
        return [(each.seat, each.action) for each in entries if each.action.startswith("block")]

    async def order(self, made: Table, seat: int, name: str) -> None:
        user = await self.user_at(made.id, seat)
        await self.tables.orders.give(made.id, user, name, ORDERS[name].values[0])

    async def with_black(self, made: Table) -> int:
        """Return the seat that is not on turn, which must hold a black sack."""
        state = await self.state(made.id)
        assert state.players[1 - state.turn].hand[COLOUR_OF_KEY["black"]]
        return 1 - state.turn

    async def take(self, table_id: int) -> None:
        """Have the seat on turn take the black sack of the printed set-up; then orders answer."""
        seat = (await self.state(table_id)).turn
        await self.act(table_id, seat, "move 1")
        await self.act(table_id, seat, "take")
        await self.tables.computers.until_idle(table_id, WAIT_S)


@pytest.fixture
async def world(database: Database) -> AsyncIterator[GuatemalaWorld]:
    """Tables of Guatemala Café with standing orders and running computer players."""
    made = GuatemalaWorld(
        database,
        games=Games((GAME,)),
        policies=Versions({"guatemala": {"normal": JUDGEMENT.player()}}),
        orders=Versions({"guatemala": ORDERS}),
    )
    await made.open()
    await made.tables.resume()
    yield made
    await made.close()


async def test_a_standing_order_answers_at_once_and_notifies_its_player(
    world: GuatemalaWorld,
) -> None:
    made = await world.started(ANNA, BEN)
    seat = await world.with_black(made)
    give = partial(world.tables.orders.give, made.id, await world.user_at(made.id, seat))
    with pytest.raises(Rejected, match="unknown_option"):
        await give("block_black", "perhaps")
    # The order for a colour answers first, although it was given last.
    for name in ("never_block", "block_scoreless", "block_black"):
        await world.order(made, seat, name)

    await world.take(made.id)

    answer = (seat, "block yes")
    assert await world.answers(made.id) == [answer]
    assert await world.queued(made.id, OutboxKind.ORDER) == [seat]
    back = await world.tables.undo.preview(made.id, ANNA, HowFar.ROUND)
    await world.tables.undo.propose(made.id, ANNA, back.step)
    await world.tables.votes.answer(made.id, BEN, "undo", agree=True)
    # A removed order does not answer.
    await give("block_black", None)
    await world.take(made.id)
    assert await world.answers(made.id) == [answer, (seat, "block no")]


async def test_an_answer_by_standing_order_can_be_changed(
    world: GuatemalaWorld,
) -> None:
    made = await world.started(ANNA, BEN, CARA)
    turn = (await world.state(made.id)).turn
    first, last = (turn + 1) % 3, (turn + 2) % 3
    await world.order(made, last, "block_black")
    await world.take(made.id)
    assert await world.asked(made.id) == [first]

    await world.act(made.id, last, "block no")
    await world.tables.computers.until_idle(made.id, WAIT_S)
    await world.act(made.id, first, "block no")

    _, *changed = await world.answers(made.id)
    assert changed == [(last, "block no"), (first, "block no")]
    assert [d.kind for d in await world.tables.reader.pending(made.id)] == ["refill"]


async def test_a_player_undoes_their_whole_turn_at_once(world: GuatemalaWorld) -> None:
    made, undo = await world.started(ANNA, BEN), world.tables.undo
    seat = (await world.state(made.id)).turn
    user, other = await world.user_at(made.id, seat), await world.user_at(made.id, 1 - seat)
    began = await world.tables.reader.seq(made.id)
    (before,) = await world.tables.reader.pending(made.id)
    await world.act(made.id, seat, "move 1")
    await world.act(made.id, seat, "end")

    back = await undo.preview(made.id, user, HowFar.TURN)
    assert back.actions == (("move", "1"), ("end",))
    assert (back.count, back.why) == (2, "")
    with pytest.raises(StaleDecision):
        await undo.alone(made.id, user, back.step, back.step)

    await undo.alone(made.id, user, back.step, back.last)

    assert await world.tables.reader.pending(made.id) == (before,)
    assert (await world.actions(made.id))[-1] == f"@undo {began}"
    with pytest.raises(StaleDecision):
        await undo.alone(made.id, user, back.step, back.last)
    # The undo does not include the player's earlier turn.
    for by, action in ((seat, "move 1"), (seat, "end"), (1 - seat, "move 1")):
        await world.act(made.id, by, action)
    assert (await undo.preview(made.id, other, HowFar.TURN)).actions == (("move", "1"),)
