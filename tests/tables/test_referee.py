"""Reliability, limits on joining, and the tools of hosts and referees, without the bot."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from bot.game.contract import Seat
from bot.store import OutboxKind, ResultRow, Verdict, WriteBatch
from bot.tables import Status, Table
from bot.tables.core import errors, log
from bot.tables.core.replay import replay
from bot.tables.results import Reliability
from bot.tables.seats import AutopilotBy
from tests.store.database import BOTH, Database
from tests.tables.test_absence import Terms
from tests.tables.world import ANNA, BEN, CARA

GUILD = 1
DORA = 104
DAY = timedelta(days=1)


class Referees(Terms):
    async def late(self, table: Table, user: int) -> int:
        return await self.store.late_turns(user, [table.id, 999])

    async def with_results(self, user: int, *finished: bool, moves: int = 10) -> None:
        """Give a user a result for each of these games, finished or not, the oldest first."""
        batch = WriteBatch()
        for number, has_finished in enumerate(finished):
            table = await self.lobby(CARA)
            await self.tables.leaving.dissolve(table.id)
            at = self.clock.now() + timedelta(minutes=number)
            score = 5 if has_finished else None
            row = ResultRow(table.id, user, 0, "", GUILD, "pebbles", 2, 2, score, moves, 60, at)
            batch.insert(row)
            if number == 0:
                batch.count_late(table.id, user, 1)
        await self.store.commit(batch)

    async def three(self) -> tuple[Table, Seat, list[int]]:
        """Start a game of three and wait until one seat is late and alone to act.

        Return the table, that seat, and the other two users.
        """
        table, rng = await self.timed(ANNA, BEN, CARA), Random(3)
        while len(asked := await self.asked(table.id)) > 1 or (
            (await self.tables.reader.pending(table.id))[0].kind == "choose"
        ):
            await self.play(table.id, 1, rng)
        self.clock.move(days=2)
        (seat,) = asked
        users = [await self.user_at(table.id, each) for each in range(3) if each != seat]
        return table, seat, users

    async def act_for(self, table: Table, seat: Seat, users: list[int]) -> None:
        """Let the others agree that a computer player acts for a seat."""
        for user in users:
            await self.tables.votes.propose(table.id, user, "act", str(seat))

    async def is_intact(self, table: Table) -> bool:
        """Return whether a replay of the log leads to the table's position."""
        unit_of_work = self.tables._unit_of_work
        loaded = await unit_of_work.cache.read(table.id)
        entries = await unit_of_work.store.entries(table.id)
        end = (await replay(self.games["pebbles"], loaded.table, entries, loaded.promises)).end()
        now = loaded.position()
        # It is unknown after a restart.
        return now.blob == end.blob and now.acted in (log.NO_SEAT, end.acted)


@pytest.fixture
async def world(database: Database) -> AsyncIterator[Referees]:
    made = Referees(database)
    await made.open()
    yield made
    await made.close()


# Reliability


@BOTH
async def test_a_late_turn_counts_once_even_with_an_extension_and_a_restart(
    world: Referees,
) -> None:
    table = await world.timed(ANNA, BEN, clock="d1")
    seat, other = [await world.tables.reader.seat_of(table.id, user) for user in (ANNA, BEN)]
    await world.pass_time(hours=23)
    assert [await world.late(table, user) for user in (ANNA, BEN)] == [0, 0]
    await world.pass_time(hours=1)
    await world.pass_time()
    assert [await world.late(table, user) for user in (ANNA, BEN)] == [1, 1]

    await world.tables.clocks.extend(table.id, BEN, seat)
    assert (await world.left(table))[seat] == DAY
    await world.reopen()
    await world.pass_time(days=1)

    assert [await world.late(table, user) for user in (ANNA, BEN)] == [1, 1]
    # Anna's next turn begins after Ben's.
    await world.choose(table, seat, other)
    if seat not in await world.asked(table.id):
        await world.act(table.id, other, "take 1")
    await world.pass_time(days=1)
    assert await world.late(table, ANNA) == 2


@BOTH
async def test_reliability_is_that_of_the_last_twenty_results_in_the_server(
    world: Referees,
) -> None:
    results = world.tables.results
    new = await results.reliability(ANNA, GUILD)
    assert new is not None
    assert new.is_new
    await world.with_results(ANNA, *5 * [False], *15 * [True], *5 * [True])
    await world.with_results(BEN, True, False, True)

    # Anna's first games, with a late turn, no longer count.
    assert await results.reliability(ANNA, GUILD) == Reliability(100, 100, is_new=False)
    assert await results.reliability(BEN, GUILD) == Reliability(66, 96, is_new=False)
    elsewhere = await results.reliability(BEN, GUILD + 1)
    assert elsewhere is not None
    assert elsewhere.is_new
    await world.tables.people.change(BEN, counted=False)
    assert await results.reliability(BEN, GUILD) is None


async def test_only_reliable_people_and_newcomers_join_a_table_that_asks_for_it(
    world: Referees,
) -> None:
    lobby = world.tables.lobby
    await world.with_results(BEN, True, True, True, False)
    await world.with_results(CARA, True, True, True, True, False)
    await world.tables.people.change(DORA, counted=False)
    table = await world.lobby(ANNA, BEN)
    await lobby.set_option(table.id, ANNA, "players", "reliable")
    # Ben keeps the seat that he has.
    assert (await lobby.set_option(table.id, BEN, "length", "long")).seat_of(BEN) == 1
    await lobby.join(table.id, CARA, "Cara")
    await lobby.leave(table.id, CARA)
    await lobby.leave(table.id, BEN)

    with pytest.raises(errors.Rejected, match="unreliable") as refused:
        await lobby.join(table.id, BEN, "Ben")
    assert refused.value.facts == {"finished": 75, "least": 80}
    for value in ("reliable", "records"):
        await lobby.set_option(table.id, ANNA, "players", value)
        with pytest.raises(errors.Rejected, match="no_record"):
            await lobby.join(table.id, DORA, "Dora")
    await lobby.join(table.id, BEN, "Ben")
    joined = await lobby.join(table.id, 105, "Elsa", delivery="press")
    assert await lobby.join(table.id, 105, "Elsa", delivery="press") == joined

    # The same holds for a seat to take over, and for a rematch.
    await lobby.set_option(table.id, ANNA, "players", "reliable")
    await lobby.start(table.id, ANNA)
    await world.tables.leaving.resign(table.id, 105)
    for user, code in ((DORA, "no_record"), (BEN, "already_seated")):
        with pytest.raises(errors.Rejected, match=code):
            await world.tables.seats.claim(table.id, user, "Someone")
    await world.tables.seats.claim(table.id, CARA, "Cara")
    await world.tables.leaving.dissolve(table.id)
    with pytest.raises(errors.Rejected, match="unreliable"):
        await world.tables.seats.open_rematch(table.id, BEN, "Ben")
    again = await world.tables.seats.open_rematch(table.id, ANNA, "Anna")
    with pytest.raises(errors.Rejected, match="unreliable"):
        await lobby.join(again.id, BEN, "Ben")


async def test_a_table_can_limit_how_many_more_tables_people_have_open_than_finished(
    world: Referees,
) -> None:
    lobby = world.tables.lobby
    table = await world.lobby(ANNA)
    await lobby.set_option(table.id, ANNA, "load", "1")
    # Tables in other servers do not count.
    await world.opened(world.tables, [BEN], {}, GUILD + 1)
    await lobby.join(table.id, BEN, "Ben")
    await lobby.leave(table.id, BEN)
    await world.lobby(BEN)

    with pytest.raises(errors.Rejected, match="too_many_unfinished") as refused:
        await lobby.join(table.id, BEN, "Ben")

    assert refused.value.facts == {"open": 1, "finished": 0, "most": 1}
    await world.with_results(BEN, False, True)
    await lobby.join(table.id, BEN, "Ben")


# Referees


async def test_an_extension_adds_a_day_to_the_running_clock_and_warns_again(
    world: Referees,
) -> None:
    table = await world.timed(ANNA, BEN, clock="d2", at_zero="vote")

    async def extend(*args: int, **more: Any) -> Table:
        return await world.tables.clocks.extend(*args, **more)

    seat, other = [await world.tables.reader.seat_of(table.id, user) for user in (ANNA, BEN)]
    await world.pass_time(hours=40)
    assert {*await world.pinged(table)} == {0, 1}
    await world.all_sent()
    for refused, user, of in (("own_clock", ANNA, seat), ("no_clock", DORA, other)):
        if refused == "no_clock":
            await world.choose(table, other)
        with pytest.raises(errors.Rejected, match=refused):
            await extend(table.id, user, of)

    for _ in range(2):
        await extend(table.id, BEN, seat, delivery="press")

    assert (await world.left(table))[seat] == timedelta(hours=32)
    assert (await world.actions(table.id)).count(log.EXTEND) == 1
    await world.reopen()
    await world.pass_time(hours=22)
    assert await world.pinged(table) == [seat]
    await world.pass_time(hours=10)
    assert await world.voted_on(table.id) == [seat]
    # More time ends the vote, and their own clock is not restarted by it.
    await extend(table.id, BEN, seat)
    (ended,) = await world.tables.votes.to_post(table.id)
    assert ended.verdict is Verdict.EXTENDED
    assert (await world.left(table))[seat] == DAY
    await extend(table.id, BEN, seat)
    assert (await world.left(table))[seat] == 2 * DAY
    assert (await world.tables.reader.seen(table.id, seat)).acted is None
    assert await world.is_intact(table)


async def test_a_live_clock_is_extended_by_its_own_time(world: Referees) -> None:
    table = await world.timed(ANNA, BEN, clock="m15")
    seat = await world.tables.reader.seat_of(table.id, ANNA)
    await world.pass_time(minutes=5)
    await world.tables.clocks.extend(table.id, BEN, seat)
    assert (await world.left(table))[seat] == timedelta(minutes=25)
    untimed = await world.timed(ANNA, BEN)
    with pytest.raises(errors.Rejected, match="no_clock"):
        await world.tables.clocks.extend(untimed.id, CARA, 0)


async def test_hosting_passes_to_another_person_at_any_time(world: Referees) -> None:
    table = await world.lobby(ANNA, BEN)

    async def make_host(*args: int, **more: Any) -> Table:
        return await world.tables.seats.make_host(*args, **more)

    await world.all_sent()
    for _ in range(2):
        assert (await make_host(table.id, ANNA, BEN, delivery="press")).host == BEN
    assert await world.queued(table.id, OutboxKind.LOBBY) == [None]
    with pytest.raises(errors.Rejected, match="no_such_seat"):
        await make_host(table.id, BEN, CARA)
    await world.tables.lobby.start(table.id, ANNA)
    await world.all_sent()

    await make_host(table.id, DORA, ANNA)
    await world.reopen()

    assert (await world.tables.reader.get(table.id)).host == ANNA
    assert (await make_host(table.id, ANNA, ANNA)).host == ANNA
    assert (await world.actions(table.id))[1:] == [log.HOST]
    assert await world.queued(table.id, OutboxKind.BOARD) == [None]
    assert await world.is_intact(table)
    await world.tables.leaving.dissolve(table.id)
    with pytest.raises(errors.NotPlaying, match="table_over"):
        await make_host(table.id, ANNA, BEN)


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_computer_player_acts_for_exactly_one_turn(world: Referees, restarts: bool) -> None:
    table, seat, users = await world.three()
    owner = await world.user_at(table.id, seat)
    other = table.seat_of(users[0])
    with pytest.raises(errors.Rejected, match="not_to_act"):
        await world.tables.votes.propose(table.id, owner, "act", str(other))
    await world.act_for(table, seat, users)
    assert (await world.actions(table.id))[-1] == log.ACT
    assert await world.tables.seats.autopiloted_by(table.id, seat) is AutopilotBy.OTHERS
    if restarts:
        await world.reopen()

    while await world.tables.computers.play_unit(table.id):
        if restarts:
            await world.reopen()

    lines = await world.actions(table.id)
    assert lines[-3] == log.ACT
    assert lines[-2].startswith("take")
    assert lines[-1] == log.MANUAL
    after = await world.tables.reader.get(table.id)
    assert after.players[seat].is_human
    # The next turn is theirs again.
    assert seat in await world.asked(table.id)
    assert not await world.tables.computers.play_unit(table.id)
    assert await world.tables.notifications.of_user(owner) != []
    assert await world.is_intact(table)


async def test_the_owner_can_keep_the_computer_player_or_come_back_at_once(
    world: Referees,
) -> None:
    table, seat, users = await world.three()
    owner = await world.user_at(table.id, seat)
    await world.act_for(table, seat, users)
    await world.tables.seats.autopilot(table.id, owner, on=False)
    await world.act(table.id, seat, "take 1", user=owner)
    # What was agreed for that turn is not left for an autopilot of their own.
    await world.tables.seats.autopilot(table.id, owner)
    await world.tables.computers.play_unit(table.id)
    assert (await world.tables.reader.get(table.id)).players[seat].is_autopiloted
    assert (await world.actions(table.id))[-2:-1] == [log.AUTO]

    table, seat, users = await world.three()
    owner = await world.user_at(table.id, seat)
    await world.act_for(table, seat, users)
    await world.tables.seats.autopilot(table.id, owner)
    await world.tables.computers.play_unit(table.id)
    assert (await world.tables.reader.get(table.id)).players[seat].is_autopiloted


async def test_a_turn_that_is_undone_also_gives_the_seat_back(world: Referees) -> None:
    table, seat, users = await world.three()
    await world.act_for(table, seat, users)
    choices = [
        entry.seat
        for entry in await world.tables._unit_of_work.cache.entries(table.id, 0)
        if entry.action.startswith("choose")
    ]
    assert choices[-1] != seat
    for user in users:
        await world.tables.undo.propose(table.id, user, len(choices))
    assert seat not in await world.asked(table.id)
    assert (await world.tables.reader.get(table.id)).players[seat].is_autopiloted

    await world.pass_time(days=1)

    assert (await world.actions(table.id))[-1] == log.MANUAL
    assert (await world.tables.reader.get(table.id)).players[seat].is_human


async def test_a_closed_game_of_a_cup_has_no_result_for_statistics(world: Referees) -> None:
    lobby, number = world.tables.lobby, await world.store.new_table_id()
    names = {ANNA: "Anna", BEN: "Ben"}
    where: dict[str, Any] = {"host": CARA, "guild": GUILD, "channel": 500}
    await lobby.open_game(number, "pebbles", names, **where, options={}, terms={}, cup=1)
    table = await world.tables.reader.get(number)
    decided = await world.tables.leaving.dissolve(table.id, delivery="press")
    assert decided.status is Status.ABANDONED
    assert await world.tables.leaving.dissolve(table.id, delivery="press") == decided
    assert (await world.actions(table.id))[1:] == [log.DECIDED]
    assert await world.queued(table.id, OutboxKind.END) == [None]
    assert await world.tables.results.of_person(ANNA, GUILD) == ()
    with pytest.raises(errors.NotPlaying, match="table_over"):
        await world.tables.leaving.dissolve(table.id)
