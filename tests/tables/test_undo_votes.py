"""Undo: alone up to a barrier, by consent past it; the log keeps undone entries."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from bot.game.contract import SPECTATOR, Decision, Seat
from bot.game.versions import Games
from bot.store import OutboxKind, Verdict
from bot.tables.core import errors, record
from bot.tables.core.promises import Terms
from bot.tables.core.record import RecordError
from bot.tables.undo import HowFar
from tests.games.pebbles import GAME, Pebbles, State
from tests.store.database import Database
from tests.tables.world import ANNA, BEN, CARA, World, whole_record


async def taken(world: World, *users: int) -> tuple[int, Seat, int]:
    """Play a long game until a player takes pebbles; return the table, the seat, and the step.

    In these games the step's number is that of its entry.
    """
    table = (await world.game(*users or (ANNA, BEN), length="long")).id
    for _ in range(50):
        asked = next(d for d in await world.tables.reader.pending(table) if not d.optional)
        if asked.kind == "take":
            return table, asked.seat, (await world.act(table, asked.seat, "take 2"))[0].seq
        await world.act(table, asked.seat, "choose 1")
    raise AssertionError("the die never showed a one")


async def undo_alone(world: World, table: int, seat: Seat, step: int) -> None:
    user = await world.user_at(table, seat)
    await world.tables.undo.alone(table, user, step, step)


async def test_an_undone_action_stays_in_the_log_also_after_a_restart(
    world: World,
) -> None:
    table, seat, last = await taken(world)

    back = await world.tables.undo.preview(table, await world.user_at(table, seat))
    assert (back.step, back.count, back.why) == (last, 1, "")
    assert [event.kind for each in back.entries for event in each.events] == ["took"]

    await undo_alone(world, table, seat, last)

    assert ((await world.tables.reader.seen(table, seat)).view).known.pebbles == [0, 0]
    (asked,) = [d for d in await world.tables.reader.pending(table) if not d.optional]
    assert (asked.kind, asked.seat) == ("take", seat)
    assert (await world.actions(table))[-2:] == ["take 2", f"@undo {last - 1}"]
    whole = await whole_record(world.tables, table)
    for line in ("@undo 99", "@undo x", f"@undo {last}"):
        forged = (*whole.entries, replace(whole.entries[-1], action=line))
        with pytest.raises(RecordError):
            list(record.fold(GAME, replace(whole, entries=forged)))
    await world.play(table, 10, Random(2))
    played = (await world.tables._unit_of_work.cache.read(table)).position()

    *_, (_, end) = record.fold(GAME, await whole_record(world.tables, table))
    assert GAME.encode(end) == played.blob
    await world.reopen()
    log = await world.tables.reader.log(await world.tables.reader.seen(table, 0), 100)
    assert (await world.tables._unit_of_work.cache.read(table)).position().draws == played.draws
    assert "undone" in {event.kind for each in log for event in each.events}


async def test_a_player_cannot_undo_another_players_action_alone(world: World) -> None:
    new = await world.game(ANNA, BEN, length="long")
    with pytest.raises(errors.NothingToUndo):
        await world.tables.undo.preview(new.id, ANNA)
    table, seat, last = await taken(world)
    with pytest.raises(errors.Rejected, match="not_yours_to_undo"):
        await undo_alone(world, table, 1 - seat, last)
    await world.act(table, 1 - seat, "choose 3")
    with pytest.raises(errors.StaleDecision):
        await undo_alone(world, table, seat, last)


async def test_undo_goes_back_to_the_players_last_action_past_anothers(
    world: World,
) -> None:
    table, first, _ = await taken(world)
    last, _ = await world.act(table, first, "choose 3")
    await world.act(table, 1 - first, "choose 3")

    back = await world.tables.undo.preview(table, await world.user_at(table, first))

    assert (back.step, back.count, back.actions) == (last.seq, 2, (("choose", "3"),))
    assert back.why


async def test_a_draw_and_a_sealed_choice_are_barriers(world: World) -> None:
    table = (await world.game(ANNA, BEN, length="long")).id
    await world.act(table, 0, "choose 1")
    with pytest.raises(errors.Rejected, match="sealed"):
        await undo_alone(world, table, 0, 1)
    await world.act(table, 1, "choose 2")
    with pytest.raises(errors.Rejected, match="draw"):
        await undo_alone(world, table, 1, 2)
    first = (await whole_record(world.tables, table)).entries[-1].drawn
    assert first
    await world.tables.undo.propose(table, ANNA, 2)
    await world.tables.votes.answer(table, BEN, "undo", agree=True)
    await world.act(table, 1, "choose 2")
    assert (await whole_record(world.tables, table)).entries[-1].drawn == first


async def test_an_undo_to_the_start_of_a_round_needs_everyones_consent(world: World) -> None:
    table, proposals = await world.game(ANNA, BEN, CARA, length="long"), world.tables.votes
    await world.play(table.id, 12, Random(3))
    back = await world.tables.undo.preview(table.id, ANNA, HowFar.ROUND)
    proposal = await world.tables.undo.propose(table.id, ANNA, back.step)
    assert (proposal.verdict, len(proposal.agreed), len(proposal.missing)) == (Verdict.OPEN, 1, 2)

    await proposals.answer(table.id, BEN, "undo", agree=True)
    last = await proposals.answer(table.id, CARA, "undo", agree=True)

    assert last.verdict is Verdict.PASSED
    (now,) = await world.tables.reader.log(await world.tables.reader.seen(table.id, 0), 1)
    assert now.round == min(each.round for each in back.entries)
    assert await world.open_votes(table.id) == []


@pytest.mark.parametrize("alone", [True, False])
async def test_an_undo_reveals_no_secret_actions(world: World, alone: bool) -> None:
    """Neither previews, proposals, events nor barriers depend on them."""
    undoing, reader, results = world.tables.undo, world.tables.reader, []
    for secrets in range(4):
        table, seat, _ = await taken(world, ANNA, BEN, CARA)
        one, other = (each for each in range(3) if each != seat)
        for _ in range(secrets):
            await world.act(table, one, f"gift {other}")
        anna = await world.user_at(table, seat)
        result: list[object] = [seat, (await reader.seen(table, SPECTATOR)).acted]
        for back in (
            await undoing.preview(table, anna),
            await undoing.preview(table, anna, HowFar.ROUND),
        ):
            events = [event for each in back.entries for event in each.events]
            result.append((back.step, back.count, events, back.why))
        step = (await undoing.preview(table, anna)).step
        if alone:
            await undoing.alone(table, anna, step, step)
        else:
            result.append((await undoing.propose(table, anna, step)).row.word)
            result.append(await undoing.count(table, step))
            for voter in (one, other):
                user = await world.user_at(table, voter)
                await world.tables.votes.answer(table, user, "undo", agree=True)
        (last,) = await reader.log(await reader.seen(table, SPECTATOR), 1)
        result += [last.events, (await reader.seen(table, SPECTATOR)).acted]
        results.append(result)
    assert results[1:] == results[:1] * 3


class Onlooker(Pebbles):
    """Pebbles in which seat 2 makes no sealed choices."""

    def pending(self, state: State) -> tuple[Decision, ...]:
        return tuple(
            asked for asked in super().pending(state) if not (asked.sealed and asked.seat == 2)
        )


async def test_no_undo_alone_while_others_make_sealed_choices(database: Database) -> None:
    """An undo could reveal whether they have chosen, or lose their choice."""
    world = await World(database, Games((Onlooker(),))).open()
    table = (await world.game(ANNA, BEN, CARA, length="long")).id
    cara, undoing = await world.user_at(table, 2), world.tables.undo
    for seat, action in ((0, "gift 2"), (0, "gift 2"), (2, "decline 1")):
        await world.act(table, seat, action)
    assert (await undoing.preview(table, cara)).why == ""
    await world.act(table, 1, "choose 1")
    await world.act(table, 2, "decline 2")
    step = await undoing.preview(table, cara)
    assert step.why == "choosing"
    with pytest.raises(errors.Rejected, match="choosing"):
        await undoing.alone(table, cara, step.step, step.step)
    await world.close()


async def test_an_undo_proposal_ends_when_it_is_done_alone_or_at_its_deadline(world: World) -> None:
    proposals, undoing = world.tables.votes, world.tables.undo
    table, seat, last = await taken(world)
    owner, other = await world.user_at(table, seat), await world.user_at(table, 1 - seat)
    await undoing.propose(table, other, last)
    await undo_alone(world, table, seat, last)
    (ended,) = await proposals.to_post(table)
    assert ended.verdict is Verdict.UNDONE
    assert await world.open_votes(table) == []
    await proposals.note_posted(ended, None)

    await undoing.propose(table, other, 1)
    world.clock.move(days=2)
    with pytest.raises(errors.Rejected, match="no_proposal"):
        await proposals.answer(table, owner, "undo", agree=True)
    # The reminder and the deadline.
    assert await world.tables.scheduler.tick() == 2


async def test_a_promise_is_undone_with_its_offer(world: World) -> None:
    table = (await world.game(ANNA, BEN, length="long")).id
    one, other = await world.user_at(table, 0), await world.user_at(table, 1)
    await world.act(table, 0, "choose 1")
    await world.act(table, 0, "gift 1", terms=Terms(mine="a song"), user=one)
    assert len((await world.tables.reader.seen(table, 0)).promises) == 1

    await world.tables.undo.propose(table, one, 1)
    await world.tables.votes.answer(table, other, "undo", agree=True)

    assert (await world.tables.reader.seen(table, 0)).promises == ()
    await world.act(table, 0, "gift 1", terms=Terms(mine="a dance"), user=one)
    assert len((await world.tables.reader.seen(table, 0)).promises) == 1


async def test_an_undo_queues_changed_hands(world: World) -> None:
    table, seat, last = await taken(world)
    asker, owner = await world.user_at(table, 1 - seat), await world.user_at(table, seat)
    await world.tables.undo.propose(table, asker, last)
    await world.all_sent()
    await world.tables.votes.answer(table, owner, "undo", agree=True)
    queued = {(row.kind, row.seat) for row in await world.tables.outbox.items(table)}
    assert queued == {
        (OutboxKind.BOARD, None),
        (OutboxKind.HAND, seat),
        (OutboxKind.VOTE, None),
    }
