"""Several processes over one database: each change counts once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial
from math import inf
from typing import Any

import pytest

from bot.game.chance import KeyedChance
from bot.game.contract import IllegalAction
from bot.store import ScheduledRow, WriteBatch
from bot.store.sharing import FENCE
from bot.tables import OutboxKind, Status
from bot.tables.awards import Claim
from bot.tables.core import errors
from bot.tables.core.log import shuffle
from bot.tables.core.record import played
from bot.tables.core.replay import replay
from bot.tables.importing import CheckedImport
from bot.tables.notes import EXPLAIN
from bot.tables.results import Rating, rated
from tests.games.pebbles import GAME
from tests.store.database import SERVER_ALONE, Database
from tests.tables.members import Member, Members, guild_of
from tests.tables.world import ANNA, BEN, CARA, KEY, NAMES
from tests.waiting import until
from tests.within import TIMEOUT_S

pytestmark = SERVER_ALONE


@pytest.fixture
async def members(database: Database) -> AsyncIterator[Members]:
    async with Members(database).open("one", "two") as members:
        yield members


async def check_intact(members: Members, table_id: int) -> None:
    """Check that the log has no gaps, follows the rules, and fits the snapshot."""
    # The log must not change between the reads.
    for each in members.all:
        await each.tables.computers.stop()
    await members.lines(table_id)
    unit_of_work = members.all[0].tables._unit_of_work
    unit_of_work.cache.drop(table_id)
    loaded = await unit_of_work.cache.read(table_id)
    entries = await unit_of_work.store.entries(table_id)
    end = (await replay(members.games["pebbles"], loaded.table, entries, loaded.promises)).end()
    assert loaded.position().blob == end.blob
    assert loaded.position().draws == end.draws


async def asked(member: Member, table_id: int) -> tuple[int, str, str]:
    """Return the seat that is to act next, and its decision's id and kind."""
    pending = await member.tables.reader.pending(table_id)
    decision = next(each for each in pending if not each.optional)
    return decision.seat, decision.id, decision.kind


async def test_deliveries_to_two_processes_each_count_once(members: Members) -> None:
    one, two = members.all
    table = await members.game(one, ANNA, BEN, length="long")

    async def both(*actions: tuple[int, str, str], **more: Any) -> list[Any]:
        acts = zip(members.all, actions, strict=True)
        return await asyncio.gather(
            *(by.tables.play.act(table.id, seat, (*each,), **more) for by, (seat, *each) in acts),
            return_exceptions=True,
        )

    # Simultaneous actions of two people both count.
    await both((0, "choose", "1"), (1, "choose", "1"))
    assert sorted((await members.lines(table.id))[1:]) == ["0 choose 1", "1 choose 1"]
    for n in range(4):
        await members.settled(table.id)
        seat, decision, kind = await asked(one, table.id)
        done = await both((seat, kind, "1"), (seat, kind, "1"), delivery=f"press {n}")
        assert sorted(repeated for _, repeated in done) == [False, True]
        assert len({entry.seq for entry, _ in done}) == 1
        # The second of two answers to one decision is refused.
        seat, decision, kind = await asked(one, table.id)
        done = await both((seat, kind, "1"), (seat, kind, "2"), decision=decision)
        refused = [each for each in done if isinstance(each, Exception)]
        assert all(isinstance(each, (errors.StaleDecision, IllegalAction)) for each in refused)
        # A sealed choice may be changed while others choose.
        assert len(refused) == 1 or (kind == "choose" and not refused)
    await check_intact(members, table.id)
    # A process that missed the action also answers a repeated delivery with its result.
    two.ignore_notices()
    seat, _, kind = await asked(one, table.id)
    acted = [
        await each.tables.play.act(table.id, seat, (kind, "1"), delivery="again")
        for each in (one, one, two)
    ]
    assert [repeated for _, repeated in acted] == [False, True, True]
    assert acted[2][0] == acted[0][0]


async def test_whispers_of_two_processes_are_all_kept_and_reach_the_tables_owner(
    members: Members,
) -> None:
    one, two = members.all
    table = await members.game(one, ANNA, BEN, length="long")
    changed: list[int] = []
    one.tables.subscribe(changed.append)
    await asyncio.gather(
        *(
            by.tables.whispers.send(
                table.id, user, ANNA + BEN - user, f"{user} {n}", delivery=f"{user} {n}"
            )
            for by, user in ((one, ANNA), (two, BEN))
            for n in (1, 2, 2)
        )
    )
    rows = await two.tables.whispers.at_table(table.id)
    assert sorted(row.text for row in rows) == sorted(
        f"{user} {n}" for user in (ANNA, BEN) for n in (1, 2)
    )
    assert [row.number for row in rows] == [1, 2, 3, 4]
    # The press in direct messages may reach the other process.
    await until(lambda: table.id in changed)


async def test_players_who_join_at_the_same_time_get_different_seats(members: Members) -> None:
    one, two = members.all
    table = await members.lobby(one, ANNA)
    await asyncio.gather(
        one.tables.lobby.join(table.id, BEN, "Ben"), two.tables.lobby.join(table.id, CARA, "Cara")
    )
    for each in (one, two):
        each.tables.sharing.drop_all()
        players = (await each.tables.reader.get(table.id)).players
        assert {player.user for player in players} == {ANNA, BEN, CARA}
    await one.tables.lobby.leave(table.id, CARA)
    done = await asyncio.gather(
        one.tables.lobby.join(table.id, CARA, NAMES[CARA]),
        two.tables.lobby.join(table.id, 104, "Dora"),
        return_exceptions=True,
    )
    assert {type(each).__name__ for each in done} == {"Table", "Rejected"}
    repeated = await asyncio.gather(
        *(each.tables.lobby.join(table.id, BEN, NAMES[BEN]) for each in (one, two)),
        return_exceptions=True,
    )
    assert {type(each) for each in repeated} == {errors.Rejected}
    await one.tables.lobby.start(table.id, ANNA)
    await one.tables.leaving.dissolve(table.id)
    done = await asyncio.gather(
        one.tables.seats.open_rematch(table.id, ANNA, "Anna"),
        two.tables.seats.open_rematch(table.id, BEN, "Ben"),
        return_exceptions=True,
    )
    assert sorted(type(each).__name__ for each in done) == [errors.Rejected.__name__, "Table"]


async def test_settings_changed_in_two_processes_all_count(members: Members) -> None:
    one, two = members.all
    for each in (one, two):
        await each.tables.people.get(ANNA)
        await each.tables.servers.get(7)
    await asyncio.gather(
        one.tables.people.change(ANNA, zone="Europe/Rome"),
        two.tables.people.change(ANNA, text_board=True),
        one.tables.people.change(ANNA, reminder_h=3),
        one.tables.servers.allow(7, 50, allowed=True),
        two.tables.servers.allow(7, 51, allowed=True),
        two.tables.servers.change(7, most_own=4),
    )

    async def shown(by: Member) -> bool:
        person, server = await by.tables.people.get(ANNA), await by.tables.servers.get(7)
        return (
            (person.zone, person.text_board, person.reminder_h) == ("Europe/Rome", True, 3)
            and sorted(server.channels) == [50, 51]
            and server.most_own == 4
        )

    for each in (one, two):
        await until(partial(shown, each))
        each.tables.sharing.drop_all()
        assert await shown(each)


async def test_games_that_end_in_two_processes_are_rated_in_turn_and_leave_one_record(
    members: Members,
) -> None:
    users = (ANNA, BEN) if shuffle(2, KeyedChance(KEY))[0] == 0 else (BEN, ANNA)
    games = [(each, (await members.game(each, *users)).id) for each in members.all]
    for member, table in games:
        # All choose the same number, so the first seat gets the pebbles. Stop before the last ones.
        while True:
            seat, _, kind = await asked(member, table)
            view = (await member.tables.reader.seen(table, 0)).view
            if kind == "take" and view.known.pebbles[0] + 2 >= 6:
                break
            await member.tables.play.act(table, seat, (kind, "2" if kind == "take" else "1"))
    await asyncio.gather(*(each.tables.play.act(table, 0, ("take", "2")) for each, table in games))
    expected = [Rating(), Rating()]
    for _ in games:
        expected = rated(expected, [1, 2])
    board = await members.all[0].tables.results.standings(guild_of(0), "pebbles")
    assert [(place.user, place.games) for place in board] == [(ANNA, 2), (BEN, 2)]
    for place, rating in zip(board, expected, strict=True):
        assert tuple(place.rating) == pytest.approx(tuple(rating))

    async def claim(member: Member, table: int, value: int) -> None:
        claims = [Claim("some", seat=value % 2, value=value, better=1)]
        at = await member.tables.reader.get(table)
        await member.tables.awards.give(at, claims, lambda _: None)

    for low, high in ((1, 2), (4, 3)):
        values = zip(games, (low, high), strict=True)
        await asyncio.gather(*(claim(*game, value) for game, value in values))
        (record,) = await members.all[0].tables.awards.find(guild=guild_of(0), game="pebbles")
        assert record.value == max(low, high)


async def test_votes_notes_and_wishes_in_two_processes_all_count(members: Members) -> None:
    one, two = members.all
    table = await members.game(one, ANNA, BEN)
    await asyncio.gather(
        one.tables.votes.propose(table.id, ANNA, "pause"),
        two.tables.votes.propose(table.id, BEN, "pause"),
        one.tables.notes.save(table.id, ANNA, "first", below=True),
        two.tables.notes.save(table.id, ANNA, "second", below=True),
        one.tables.notes.explain(table.id, ANNA, wanted=True),
        two.tables.notes.explain(table.id, ANNA, wanted=True),
    )
    await until(lambda: _status(two, table.id, Status.PAUSED))
    assert sorted((await two.tables.notes.get(table.id, ANNA)).split()) == ["first", "second"]
    assert await one.store.votes(table.id, EXPLAIN) == {ANNA}
    await asyncio.gather(
        one.tables.leaving.abandon(table.id, ANNA), two.tables.leaving.abandon(table.id, BEN)
    )
    await until(lambda: _status(one, table.id, Status.ABANDONED))
    await check_intact(members, table.id)


async def _status(member: Member, table_id: int, status: Status) -> bool:
    return (await member.tables.reader.get(table_id)).status is status


async def test_other_processes_see_changes_and_call_their_listeners(members: Members) -> None:
    one, two = members.all
    notified: dict[str, list[int]] = {"one": [], "two": []}
    announced: list[int] = []
    table = await members.game(one, ANNA, BEN)
    assert await two.tables.reader.seq(table.id) == 0
    two.tables.listen(announced.append)
    for each in (one, two):
        each.tables.subscribe(notified[each.name].append)
    await one.tables.play.act(table.id, 0, ("choose", "1"))
    await until(lambda: _seq(two, table.id, 1))
    # Announcements from before `listen` may arrive after it, so there may be more than one.
    await until(lambda: table.id in announced)
    # The owner's subscribers are notified of changes by other processes.
    notified["one"].clear()
    await two.tables.play.act(table.id, 1, ("choose", "1"))
    await until(lambda: table.id in notified["one"])
    notified["two"].clear()
    opened = await two.tables.lobby.open("pebbles", CARA, "Cara", guild_of(1), 501)
    await until(lambda: opened.id in notified["one"])
    await one.tables.leaving.dissolve(opened.id)
    await until(lambda: two.tables._unit_of_work.cache._revisions.get(opened.id) == 2)
    assert notified["two"] == [opened.id], "not only its own change"


async def _seq(member: Member, table_id: int, seq: int) -> bool:
    return await member.tables.reader.seq(table_id) == seq


async def test_a_lesson_ends_the_one_begun_in_another_process(members: Members) -> None:
    one, two = members.all
    record = played(GAME, ("Anna", "Easy 1"), {}, KEY, [(1, "choose 1")])
    position = CheckedImport(record, GAME, {"length": "short"}, is_over=False)
    first = await one.tables.lessons.open(position, "seal", ANNA, 0)
    assert (await one.tables.lessons.open(position, "seal", ANNA, 0)).id == first.id
    assert (await two.tables.lessons.open(position, "seal", ANNA, 0)).id == first.id
    await one.tables.play.act(first.id, 0, ("choose", "3"), user=ANNA)
    second = await two.tables.lessons.open(position, "seal", ANNA, 0)
    assert [table.id for table in await one.tables.lessons.of_user(ANNA)] == [second.id]
    with pytest.raises(errors.UnknownTable):
        await one.tables.play.act(first.id, 0, ("choose", "1"), user=ANNA)
    await two.tables.play.act(second.id, 0, ("choose", "1"), user=ANNA)
    # No one waits for the other player, who never acts.
    for each in (one, two):
        await asyncio.wait_for(each.tables.computers.until_idle(second.id, inf), TIMEOUT_S)
    members.clock.move(days=1)
    await two.tables.scheduler.tick()
    assert await two.tables.lessons.of_user(ANNA)
    await one.tables.scheduler.tick()
    assert not await two.tables.lessons.of_user(ANNA)


async def test_a_missed_or_late_announcement_does_no_harm(members: Members) -> None:
    one, two = members.all
    table = await members.lobby(one, ANNA)
    cache = two.tables._unit_of_work.cache
    old = await cache.read(table.id)
    two.ignore_notices()
    await one.tables.lobby.join(table.id, BEN, "Ben")
    joined = await two.tables.lobby.join(table.id, CARA, "Cara")
    assert [player.user for player in joined.players] == [ANNA, BEN, CARA]
    await two.tables.outbox.items(table.id)
    cache.drop_older(table.id, old.revision)
    cache.put(old)
    assert len((await two.tables.reader.get(table.id)).players) == 3
    # A refusal based on an old copy is reconsidered.
    await one.tables.lobby.leave(table.id, CARA)
    joined = await two.tables.lobby.join(table.id, 104, "Dora")
    assert [player.user for player in joined.players] == [ANNA, BEN, 104]


async def test_a_table_read_after_its_outbox_items_is_not_older(
    members: Members,
) -> None:
    one, two = members.all
    table = await members.lobby(one, ANNA)
    game = await members.game(one, ANNA, BEN)
    one.ignore_notices()
    await two.tables.lobby.join(table.id, BEN, "Ben")
    await two.tables.seats.autopilot(game.id, ANNA)
    assert len((await one.tables.reader.get(table.id)).players) == 1, "it was notified"
    assert OutboxKind.LOBBY in {item.kind for item in await one.tables.outbox.items(table.id)}
    assert len((await one.tables.reader.get(table.id)).players) == 2
    assert await one.tables.outbox.items(game.id)
    shown, written = [await each.tables.reader.get(game.id) for each in (one, two)]
    assert shown == written


async def test_a_table_read_again_still_has_its_recent_entries(members: Members) -> None:
    table = await members.game(members.all[0], ANNA, BEN, length="long")
    for n in range(1, 31):
        by, other = members.all[n % 2], members.all[1 - n % 2]
        seat, _, kind = await asked(by, table.id)
        await by.tables.play.act(table.id, seat, (kind, "1"))
        await until(partial(_seq, other, table.id, n))
    theirs, mine = [
        (await each.tables._unit_of_work.cache.read(table.id)).position() for each in members.all
    ]
    assert theirs.recent == mine.recent
    assert [each.seq for each in mine.recent] == list(range(7, 31))
    assert theirs.acted == mine.acted


async def test_an_announcement_during_a_read_is_not_missed(
    members: Members, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = members.all
    table = await members.lobby(one, ANNA)
    load, read, go_on = two.store.load, asyncio.Event(), asyncio.Event()

    async def slowly(table_id: int) -> Any:
        found = await load(table_id)
        read.set()
        await go_on.wait()
        return found

    two.tables.sharing.drop_all()
    monkeypatch.setattr(two.store, "load", slowly)
    reading = asyncio.create_task(two.tables.reader.get(table.id))
    await read.wait()
    await one.tables.lobby.join(table.id, BEN, "Ben")
    await until(lambda: two.tables._unit_of_work.cache._revisions.get(table.id) == 2)
    go_on.set()
    await reading
    assert len((await two.tables.reader.get(table.id)).players) == 2


async def test_a_process_that_lost_a_lease_cannot_write_for_it(members: Members) -> None:
    one, two = members.all
    table = await members.game(one, ANNA, BEN)
    seat, _, kind = await asked(one, table.id)
    with one.tables.on_behalf(table):
        await one.tables.outbox.acknowledge([], table_id=table.id, posted_seq=0)
        await members.hand_over(0, two, stalled=one)
        for late in (
            one.tables.outbox.acknowledge([], table_id=table.id, posted_seq=1),
            one.tables.outbox.number(table.id, "turn", 1),
            one.tables.play.act(table.id, seat, (kind, "1")),
        ):
            with pytest.raises(errors.NotOurs):
                await late
    assert not one.tables._unit_of_work.cache._loaded
    assert len(await members.lines(table.id)) == 1
    assert (await two.tables.reader.get(table.id)).posted_seq == 0
    await one.tables.play.act(table.id, seat, (kind, "1"))
    assert len(await members.lines(table.id)) == 2, "a user's action was refused"


async def test_a_process_works_only_for_its_own_tables(members: Members) -> None:
    one, two = members.all
    table = await members.game(one, ANNA, BEN)
    assert one.tables.ownership.owns(table.guild)
    assert not two.tables.ownership.owns(table.guild)
    with pytest.raises(errors.NotOurs), two.tables.on_behalf(table):
        pass
    assert FENCE.get() is None
    assert [item.table for item in await one.tables.outbox.items()]
    assert await two.tables.outbox.items() == []
    # Subscribers of fenced work do not inherit its fence.
    fences: list[object] = []
    one.tables.subscribe(lambda _: fences.append(FENCE.get()))
    with one.tables.on_behalf(table):
        await one.tables.play.act(table.id, 0, ("choose", "1"))
    await until(lambda: fences)
    assert fences == [None]


def register(member: Member, done: list[tuple[str, int, int]], *, starts: Any = None) -> None:
    """Register tasks of the kind "test", which first call `starts` and then append to `done`."""
    unit_of_work = member.tables._unit_of_work

    async def handle(row: ScheduledRow) -> None:
        if starts is not None:
            await starts()

        async def act() -> None:
            batch = WriteBatch()
            batch.schedule(row.table, row.seat, row.kind, None)
            await unit_of_work.commit(batch, await unit_of_work.cache.load(row.table))
            done.append((member.name, row.table, row.seat))

        await unit_of_work.cache.run_locked(row.table, act)

    member.tables.scheduler.on("test", handle)


async def schedule(members: Members, *tables: int, seats: int = 1) -> None:
    """Schedule a task for each seat, one second apart."""
    batch = WriteBatch()
    for table in tables:
        for seat in range(seats):
            at = members.clock.now() - timedelta(seconds=seats - seat)
            batch.schedule(table, seat, "test", at)
    await members.all[0].store.commit(batch)


async def test_a_stalled_processs_task_is_done_only_by_the_next_owner(members: Members) -> None:
    one, two = members.all
    table = await members.game(one, ANNA, BEN)
    began, go_on = asyncio.Event(), asyncio.Event()
    done: list[tuple[str, int, int]] = []

    async def stall() -> None:
        began.set()
        await go_on.wait()

    register(one, done, starts=stall)
    register(two, done)
    await schedule(members, table.id)
    stalled = asyncio.create_task(one.tables.scheduler.tick())
    await began.wait()
    await members.hand_over(0, two, stalled=one)
    members.clock.move(seconds=21)
    await two.tables.scheduler.tick()
    go_on.set()
    await stalled
    assert done == [("two", table.id, 0)]


async def test_a_process_that_loses_a_shard_leaves_its_other_tasks(members: Members) -> None:
    one, two = members.all
    table = await members.game(one, ANNA, BEN)
    done: list[tuple[str, int, int]] = []
    register(one, done, starts=partial(members.hand_over, 0, two))
    register(two, done)
    await schedule(members, table.id, seats=3)
    assert await one.tables.scheduler.tick() == 1
    assert done == [], "it worked without its lease"
    await two.tables.scheduler.tick()
    assert done == [("two", table.id, 1), ("two", table.id, 2)]


async def test_missed_changes_are_found_afterwards(members: Members) -> None:
    one, two = members.all
    table = await members.lobby(one, ANNA)
    await one.tables.lobby.add_computer(table.id, ANNA, "normal", name="Hal")
    one.ignore_notices()
    notified: list[int] = []
    one.tables.subscribe(notified.append)
    await two.tables.lobby.start(table.id, ANNA)
    assert (await one.tables.reader.get(table.id)).status is Status.LOBBY, "it was notified"
    assert notified == []
    one.tables.sharing.drop_all()
    held = one.leases.shards()
    assert held is not None
    await one.tables.sharing.take_over(held)
    seat = await one.tables.reader.seat_of(table.id, ANNA)

    async def computer_has_answered() -> bool:
        pending = await one.tables.reader.pending(table.id)
        return {each.seat for each in pending if not each.optional} == {seat}

    await until(computer_has_answered)
    assert table.id in notified


async def test_a_deleted_user_is_not_brought_back_by_another_process(members: Members) -> None:
    one, two = members.all
    table = await members.game(one, ANNA, BEN)
    await one.tables.leaving.dissolve(table.id)
    assert (await two.tables.reader.get(table.id)).host == ANNA
    two.ignore_notices()
    await one.tables.results.forget(ANNA, "Someone")
    await two.tables.outbox.acknowledge([], table_id=table.id, thread=77)
    one.tables.sharing.drop_all()
    found = await one.tables.reader.get(table.id)
    assert (found.host, found.thread, sorted(found.names)) == (0, 77, ["Ben", "Someone"])


async def test_only_the_owner_of_a_table_to_watch_plays_on_and_the_next_one_keeps_the_pace(
    members: Members,
) -> None:
    one, two = members.all
    table = await one.tables.lobby.open_to_watch(
        *("pebbles", ["Computer 1", "Computer 2"], "normal", "m1"),
        host=ANNA,
        guild=guild_of(0),
        channel=500,
        options={"length": "long"},
    )

    async def played(*, seconds: float) -> int:
        """Let time pass, and return how many actions follow in either process."""
        before = len(await members.lines(table.id))
        members.clock.move(seconds=seconds)
        for each in (two, one):
            await each.tables.scheduler.tick()
            computers = each.tables.computers
            await until(lambda at=computers: not at._queue and not at._playing)  # type: ignore[misc]
        return len(await members.lines(table.id)) - before

    for _ in range(2):
        assert 1 <= await played(seconds=61) <= 3
        assert not await played(seconds=30)
        assert table.id not in two.tables.computers.tables()
    await members.hand_over(0, two, stalled=one)
    assert not await played(seconds=20)
    assert 1 <= await played(seconds=61) <= 3
    assert table.id in two.tables.computers.tables()
    await check_intact(members, table.id)
