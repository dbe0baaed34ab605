"""Taking back: alone up to a barrier, by consent past it, and nothing is lost from the log."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from bot.game.contract import SPECTATOR, Decision, Seat
from bot.game.versions import Games
from bot.tables.core import record
from bot.tables.core.cache import replay
from bot.tables.core.errors import (
    Barrier,
    NoProposal,
    NothingToUndo,
    NotYoursToUndo,
    StaleDecision,
)
from bot.tables.core.model import OutboxKind
from bot.tables.core.promises import Terms
from bot.tables.core.record import RecordError
from bot.tables.votes import undo_votes
from bot.tables.votes.proposals import Verdict
from tests.games.pebbles import GAME, Pebbles, State
from tests.store.database import Database
from tests.tables.world import ANNA, BEN, CARA, World, whole_record


async def taken(world: World, table: int) -> tuple[Seat, int]:
    """Somebody has just taken pebbles: the seat, and the number of the step, here its entry."""
    for _ in range(50):
        asked = next(d for d in await world.tables.reader.pending(table) if not d.optional)
        if asked.kind == "take":
            await world.tables.play.act(table, asked.seat, ("take", "2"))
            return asked.seat, await world.tables.reader.seq(table)
        await world.tables.play.act(table, asked.seat, ("choose", "1"))
    raise AssertionError("the die never showed a one")


async def user_at(world: World, table: int, seat: Seat) -> int:
    user = (await world.tables.reader.get(table)).players[seat].user
    assert user is not None
    return user


async def test_the_last_action_of_ones_own_is_taken_back_and_stays_in_the_log(
    world: World,
) -> None:
    table = await world.game(ANNA, BEN, length="long")
    seat, last = await taken(world, table.id)
    anna = await user_at(world, table.id, seat)

    back = await world.tables.undo_votes.step(table.id, anna)
    assert (back.step, back.count, back.why) == (last, 1, "")
    assert [event.kind for each in back.happened for event in each.events] == ["took"]
    await world.tables.undo_votes.alone(table.id, anna, back.step, back.step)

    assert (await world.tables.reader.view(table.id, seat)).pebbles == (0, 0)
    (asked,) = [d for d in await world.tables.reader.pending(table.id) if not d.optional]
    assert (asked.kind, asked.seat) == ("take", seat)
    entries = (await whole_record(world.tables, table.id)).entries
    assert [entry.action for entry in entries[-2:]] == ["take 2", f"@undo {last - 1}"]


async def test_however_many_ask_what_they_could_take_back_one_game_is_gone_through_at_a_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thirty who asked at a table with a long log kept everybody else waiting for seconds."""
    asked = []
    for _ in range(2):
        table = await world.game(ANNA, BEN, length="long")
        seat, _ = await taken(world, table.id)
        asked.append((table.id, await user_at(world, table.id, seat)))
    running = most = 0

    async def watched(*args: Any) -> Any:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        try:
            return await replay(*args)
        finally:
            running -= 1

    monkeypatch.setattr(undo_votes, "replay", watched)
    back = await asyncio.gather(
        *(world.tables.undo_votes.step(*each) for each in asked * 3),
        *(world.tables.undo_votes.round(*each) for each in asked * 3),
    )

    assert [each.count for each in back[:6]] == [1] * 6
    assert most == 1


async def test_whoever_takes_something_back_has_the_game_gone_through_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await world.game(ANNA, BEN, length="long")
    seat, last = await taken(world, table.id)
    anna, times = await user_at(world, table.id, seat), 0

    async def counted(*args: Any) -> Any:
        nonlocal times
        times += 1
        return await replay(*args)

    monkeypatch.setattr(undo_votes, "replay", counted)
    await world.tables.undo_votes.alone(table.id, anna, last, last)
    assert times == 1


async def test_a_game_with_things_taken_back_is_the_same_after_a_restart(world: World) -> None:
    table = await world.game(ANNA, BEN, length="long")
    seat, last = await taken(world, table.id)
    await world.tables.undo_votes.alone(table.id, await user_at(world, table.id, seat), last, last)
    await world.play(table.id, 10, Random(2))
    played = (await world.tables._unit_of_work.cache.read(table.id)).position()
    whole = await whole_record(world.tables, table.id)

    *_, end = record.fold(GAME, whole)
    assert GAME.encode(end.state) == played.blob
    await world.reopen()
    log = await world.tables.reader.log(table.id, 0, 100)
    assert (await world.tables._unit_of_work.cache.read(table.id)).position().draws == played.draws
    assert "undone" in {event.kind for each in log for event in each.events}


async def test_what_is_drawn_after_going_back_is_what_was_drawn_before(world: World) -> None:
    table = await world.game(ANNA, BEN, length="long")
    await world.tables.play.act(table.id, 0, ("choose", "1"))
    await world.tables.play.act(table.id, 1, ("choose", "2"))
    first = (await whole_record(world.tables, table.id)).entries[-1].drawn
    await world.tables.undo_votes.propose(table.id, ANNA, 2)
    await world.tables.proposals.answer(table.id, BEN, "undo", agree=True)

    await world.tables.play.act(table.id, 1, ("choose", "2"))

    assert (await whole_record(world.tables, table.id)).entries[-1].drawn == first


async def test_nobody_takes_back_what_another_did(world: World) -> None:
    table = await world.game(ANNA, BEN, length="long")
    with pytest.raises(NothingToUndo):
        await world.tables.undo_votes.step(table.id, ANNA)
    seat, last = await taken(world, table.id)
    other = await user_at(world, table.id, 1 - seat)
    with pytest.raises(NotYoursToUndo):
        await world.tables.undo_votes.alone(table.id, other, last, last)
    await world.tables.play.act(table.id, 1 - seat, ("choose", "3"))
    anna = await user_at(world, table.id, seat)
    with pytest.raises(StaleDecision):
        await world.tables.undo_votes.alone(table.id, anna, last, last)


async def test_a_draw_a_sealed_choice_and_what_came_out_are_barriers(world: World) -> None:
    table = await world.game(ANNA, BEN, length="long")
    await world.tables.play.act(table.id, 0, ("choose", "1"))
    with pytest.raises(Barrier, match="sealed"):
        await world.tables.undo_votes.alone(table.id, await user_at(world, table.id, 0), 1, 1)
    await world.tables.play.act(table.id, 1, ("choose", "2"))
    with pytest.raises(Barrier, match="draw"):
        await world.tables.undo_votes.alone(table.id, await user_at(world, table.id, 1), 2, 2)


async def test_all_people_agree_on_going_back_to_the_beginning_of_a_round(world: World) -> None:
    table = await world.game(ANNA, BEN, CARA, length="long")
    await world.play(table.id, 12, Random(3))
    back = await world.tables.undo_votes.round(table.id, ANNA)
    rounds = {each.round for each in back.happened}
    asked = await world.tables.undo_votes.propose(table.id, ANNA, back.step)
    assert (asked.verdict, len(asked.agreed), len(asked.missing)) == (Verdict.OPEN, 1, 2)

    await world.tables.proposals.answer(table.id, BEN, "undo", agree=True)
    last = await world.tables.proposals.answer(table.id, CARA, "undo", agree=True)

    assert last.verdict is Verdict.PASSED
    (now,) = await world.tables.reader.log(table.id, 0, 1)
    assert now.round == min(rounds)
    assert await world.tables.proposals.open(table.id) == []


@pytest.mark.parametrize("alone", [True, False])
async def test_what_others_did_in_secret_is_never_counted(world: World, alone: bool) -> None:
    """Not in what is asked of others, not in what is told, not in what bars the way."""
    known = []
    for secrets in range(4):
        table = await world.game(ANNA, BEN, CARA, length="long")
        seat, _ = await taken(world, table.id)
        one, other = (each for each in range(3) if each != seat)
        for _ in range(secrets):
            await world.tables.play.act(table.id, one, ("gift", str(other)))
        anna = await user_at(world, table.id, seat)
        undo_votes, proposals = world.tables.undo_votes, world.tables.proposals
        found: list[object] = [seat, await world.tables.reader.last_seat(table.id)]
        for back in (await undo_votes.step(table.id, anna), await undo_votes.round(table.id, anna)):
            heard = [event for each in back.happened for event in each.events]
            found.append((back.step, back.count, heard, back.why))
        step = (await undo_votes.step(table.id, anna)).step
        if alone:
            await undo_votes.alone(table.id, anna, step, step)
        else:
            found.append((await undo_votes.propose(table.id, anna, step)).word)
            found.append(await undo_votes.count(table.id, step))
            for voice in (one, other):
                user = await user_at(world, table.id, voice)
                await proposals.answer(table.id, user, "undo", agree=True)
        (last,) = await world.tables.reader.log(table.id, SPECTATOR, 1)
        found += [last.events, await world.tables.reader.last_seat(table.id)]
        known.append(found)
    assert known[1:] == known[:1] * 3


class Onlooker(Pebbles):
    """Seat 2 is never asked to choose."""

    def pending(self, state: State) -> tuple[Decision, ...]:
        return tuple(
            asked for asked in super().pending(state) if not (asked.sealed and asked.seat == 2)
        )


async def test_nobody_goes_back_alone_while_others_may_have_chosen_anew(
    database: Database,
) -> None:
    """Whether they have must not be found out, nor must their choice be lost."""
    world = await World(database, Games((Onlooker(),))).open()
    table = await world.game(ANNA, BEN, CARA, length="long")
    cara = await user_at(world, table.id, 2)
    for _ in range(2):
        await world.tables.play.act(table.id, 0, ("gift", "2"))
    await world.tables.play.act(table.id, 2, ("decline", "1"))
    assert (await world.tables.undo_votes.step(table.id, cara)).why == ""
    await world.tables.play.act(table.id, 1, ("choose", "1"))
    await world.tables.play.act(table.id, 2, ("decline", "2"))
    step = await world.tables.undo_votes.step(table.id, cara)
    assert step.why == "choosing"
    with pytest.raises(Barrier, match="choosing"):
        await world.tables.undo_votes.alone(table.id, cara, step.step, step.step)
    await world.close()


async def test_one_no_ends_a_proposal(world: World) -> None:
    table = await world.game(ANNA, BEN, length="long")
    await world.play(table.id, 4, Random(3))
    seq = await world.tables.reader.seq(table.id)
    await world.tables.undo_votes.propose(table.id, ANNA, 1)

    refused = await world.tables.proposals.answer(table.id, BEN, "undo", agree=False)

    assert refused.verdict is Verdict.REFUSED
    assert await world.tables.reader.seq(table.id) == seq
    with pytest.raises(NoProposal):
        await world.tables.proposals.answer(table.id, ANNA, "undo", agree=True)


async def test_going_back_otherwise_ends_the_vote_on_what_does_not_stand_any_more(
    world: World,
) -> None:
    table = await world.game(ANNA, BEN, length="long")
    seat, last = await taken(world, table.id)
    await world.tables.undo_votes.propose(table.id, await user_at(world, table.id, 1 - seat), last)

    await world.tables.undo_votes.alone(table.id, await user_at(world, table.id, seat), last, last)

    (gone,) = await world.tables.proposals.to_tell(table.id)
    assert gone.verdict is Verdict.UNDONE
    assert await world.tables.proposals.open(table.id) == []


async def test_a_proposal_lapses_at_its_time_and_another_can_be_made(world: World) -> None:
    table = await world.game(ANNA, BEN, length="long")
    await world.play(table.id, 4, Random(3))
    await world.tables.undo_votes.propose(table.id, ANNA, 1)
    world.clock.move(days=2)
    with pytest.raises(NoProposal):
        await world.tables.proposals.answer(table.id, BEN, "undo", agree=True)

    # The reminder, and the end.
    assert await world.tables.scheduler.tick() == 2

    (lapsed,) = await world.tables.proposals.to_tell(table.id)
    assert lapsed.verdict is Verdict.LAPSED
    await world.tables.proposals.told(lapsed, ())
    assert await world.store.proposals(table.id) == []
    assert await world.tables.scheduler.tick() == 0
    again = await world.tables.undo_votes.propose(table.id, BEN, 2)
    assert again.agreed == ((await world.tables.reader.get(table.id)).seat_of(BEN),)


async def test_a_promise_is_taken_back_with_its_offer(world: World) -> None:
    table = await world.game(ANNA, BEN, length="long")
    anna = await user_at(world, table.id, 0)
    await world.tables.play.act(table.id, 0, ("choose", "1"))
    await world.tables.play.act(table.id, 0, ("gift", "1"), terms=Terms(mine="a song"), user=anna)
    assert len(await world.tables.reader.promises(table.id, 0)) == 1

    await world.tables.undo_votes.propose(table.id, anna, 1)
    other = await user_at(world, table.id, 1)
    await world.tables.proposals.answer(table.id, other, "undo", agree=True)

    assert await world.tables.reader.promises(table.id, 0) == ()
    await world.tables.play.act(table.id, 0, ("gift", "1"), terms=Terms(mine="a dance"), user=anna)
    assert len(await world.tables.reader.promises(table.id, 0)) == 1


async def test_what_others_lost_or_got_by_going_back_is_told_them(world: World) -> None:
    table = await world.game(ANNA, BEN, length="long")
    seat, last = await taken(world, table.id)
    asker = await user_at(world, table.id, 1 - seat)
    owner = await user_at(world, table.id, seat)
    await world.tables.undo_votes.propose(table.id, asker, last)
    await world.tables.outbox.acknowledge(await world.tables.outbox.items(table.id))
    await world.tables.proposals.answer(table.id, owner, "undo", agree=True)
    queued = {(row.kind, row.seat) for row in await world.tables.outbox.items(table.id)}
    assert queued == {
        (OutboxKind.BOARD, None),
        (OutboxKind.HAND, seat),
        (OutboxKind.VOTE, None),
    }


async def test_a_forged_undo_is_found(world: World) -> None:
    table = await world.game(ANNA, BEN, length="long")
    seat, last = await taken(world, table.id)
    await world.tables.undo_votes.alone(table.id, await user_at(world, table.id, seat), last, last)
    whole = await whole_record(world.tables, table.id)
    taken_back_itself = last
    for line in ("@undo 99", "@undo x", f"@undo {taken_back_itself}"):
        forged = (*whole.entries, replace(whole.entries[-1], action=line))
        with pytest.raises(RecordError):
            list(record.fold(GAME, replace(whole, entries=forged)))
