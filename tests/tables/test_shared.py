"""Several processes over one database: each change counts once, whoever makes it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from bot.game.chance import KeyedChance
from bot.game.contract import IllegalAction
from bot.store import ScheduledRow, WriteBatch
from bot.store.sharing import FENCE
from bot.tables import OutboxKind, Status
from bot.tables.core import errors
from bot.tables.core.log import shuffle
from bot.tables.core.replay import replay
from bot.tables.notes import EXPLAIN
from bot.tables.results import Rating, rated
from tests.store.database import SERVER_ALONE, Database
from tests.tables.members import Member, Members, guild_of
from tests.tables.world import ANNA, BEN, CARA, KEY, NAMES
from tests.waiting import until

pytestmark = SERVER_ALONE


@pytest.fixture
async def members(database: Database) -> AsyncIterator[Members]:
    async with Members(database).open("one", "two") as members:
        yield members


async def intact(members: Members, table_id: int) -> None:
    """The log fits the rules without a gap, and the snapshot fits the log."""
    # What is read one after the other belongs together only where nobody goes on meanwhile.
    for each in members.all:
        await each.tables.computers.stop()
    await members.lines(table_id)
    work = members.all[0].tables._unit_of_work
    work.cache.drop(table_id)
    loaded = await work.cache.read(table_id)
    entries = await work.store.entries(table_id)
    end = (await replay(members.games["pebbles"], loaded.table, entries, loaded.promises)).end()
    assert loaded.position().blob == end.blob
    assert loaded.position().draws == end.draws


async def asked(member: Member, table_id: int) -> tuple[int, str, str]:
    """Who must answer next, by which decision, and its kind."""
    pending = await member.tables.reader.pending(table_id)
    decision = next(each for each in pending if not each.optional)
    return decision.seat, decision.id, decision.kind


async def test_of_presses_through_two_members_each_counts_once(members: Members) -> None:
    one, two = members.all
    table = await members.game(one, ANNA, BEN, length="long")

    async def both(*actions: tuple[int, str, str], **more: Any) -> list[Any]:
        acts = zip(members.all, actions, strict=True)
        return await asyncio.gather(
            *(by.tables.play.act(table.id, seat, (*each,), **more) for by, (seat, *each) in acts),
            return_exceptions=True,
        )

    # What two people do at once both counts.
    await both((0, "choose", "1"), (1, "choose", "1"))
    assert sorted((await members.lines(table.id))[1:]) == ["0 choose 1", "1 choose 1"]
    for n in range(4):
        await members.settled(table.id)
        seat, decision, kind = await asked(one, table.id)
        done = await both((seat, kind, "1"), (seat, kind, "1"), delivery=f"press {n}")
        assert sorted(repeated for _, repeated in done) == [False, True]
        assert len({entry.seq for entry, _ in done}) == 1
        # Of two answers to one question the second comes too late.
        seat, decision, kind = await asked(one, table.id)
        done = await both((seat, kind, "1"), (seat, kind, "2"), decision=decision)
        refused = [each for each in done if isinstance(each, Exception)]
        assert all(isinstance(each, (errors.StaleDecision, IllegalAction)) for each in refused)
        # A sealed number may be sealed anew while others choose.
        assert len(refused) == 1 or (kind == "choose" and not refused)
    await intact(members, table.id)
    # A press that is repeated where nothing was heard of it is answered by what was done.
    two.deafen()
    seat, _, kind = await asked(one, table.id)
    acted = [
        await each.tables.play.act(table.id, seat, (kind, "1"), delivery="again")
        for each in (one, one, two)
    ]
    assert [repeated for _, repeated in acted] == [False, True, True]
    assert acted[2][0] == acted[0][0]


async def test_who_joins_at_once_has_a_seat_of_their_own(members: Members) -> None:
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
    again = await asyncio.gather(
        *(each.tables.lobby.join(table.id, BEN, NAMES[BEN]) for each in (one, two)),
        return_exceptions=True,
    )
    assert {type(each) for each in again} == {errors.Rejected}
    await one.tables.lobby.start(table.id, ANNA)
    await one.tables.leaving.dissolve(table.id)
    done = await asyncio.gather(
        one.tables.seats.open_rematch(table.id, ANNA, "Anna"),
        two.tables.seats.open_rematch(table.id, BEN, "Ben"),
        return_exceptions=True,
    )
    assert sorted(type(each).__name__ for each in done) == [errors.Rejected.__name__, "Table"]


async def test_settings_changed_in_two_places_all_count(members: Members) -> None:
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


async def test_two_games_that_end_at_once_are_rated_one_after_the_other(members: Members) -> None:
    users = (ANNA, BEN) if shuffle(2, KeyedChance(KEY))[0] == 0 else (BEN, ANNA)
    games = [(each, (await members.game(each, *users)).id) for each in members.all]
    for member, table in games:
        # All choose alike, and the first seat gets the pebbles, up to the last ones.
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


async def test_votes_notes_and_wishes_in_two_places_all_count(members: Members) -> None:
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
    await intact(members, table.id)


async def _status(member: Member, table_id: int, status: Status) -> bool:
    return (await member.tables.reader.get(table_id)).status is status


async def test_what_one_does_the_others_see_and_their_listeners_hear(members: Members) -> None:
    one, two = members.all
    told: dict[str, list[int]] = {"one": [], "two": []}
    heard: list[int] = []
    table = await members.game(one, ANNA, BEN)
    assert await two.tables.reader.seq(table.id) == 0
    two.tables.listen(heard.append)
    for each in (one, two):
        each.tables.subscribe(told[each.name].append)
    await one.tables.play.act(table.id, 0, ("choose", "1"))
    await until(lambda: _seq(two, table.id, 1))
    # What was written before `listen` may be heard of after it, so perhaps more than once.
    await until(lambda: table.id in heard)
    # Whose table it is hears of what others do there.
    told["one"].clear()
    await two.tables.play.act(table.id, 1, ("choose", "1"))
    await until(lambda: table.id in told["one"])
    told["two"].clear()
    opened = await two.tables.lobby.open("pebbles", CARA, "Cara", guild_of(1), 501)
    await until(lambda: opened.id in told["one"])
    await one.tables.leaving.dissolve(opened.id)
    await until(lambda: two.tables._unit_of_work.cache._revisions.get(opened.id) == 2)
    assert told["two"] == [opened.id], "its own change, and nobody else's"


async def _seq(member: Member, table_id: int, seq: int) -> bool:
    return await member.tables.reader.seq(table_id) == seq


async def test_a_notice_that_was_missed_or_late_does_no_harm(members: Members) -> None:
    one, two = members.all
    table = await members.lobby(one, ANNA)
    cache = two.tables._unit_of_work.cache
    old = await cache.read(table.id)
    two.deafen()
    await one.tables.lobby.join(table.id, BEN, "Ben")
    joined = await two.tables.lobby.join(table.id, CARA, "Cara")
    assert [player.user for player in joined.players] == [ANNA, BEN, CARA]
    await two.tables.outbox.items(table.id)
    cache.drop_older(table.id, old.revision)
    cache.put(old)
    assert len((await two.tables.reader.get(table.id)).players) == 3
    # A refusal by an old copy is thought over.
    await one.tables.lobby.leave(table.id, CARA)
    joined = await two.tables.lobby.join(table.id, 104, "Dora")
    assert [player.user for player in joined.players] == [ANNA, BEN, 104]


async def test_what_is_sent_shows_what_its_outbox_item_tells_of(members: Members) -> None:
    one, two = members.all
    table = await members.lobby(one, ANNA)
    game = await members.game(one, ANNA, BEN)
    one.deafen()
    await two.tables.lobby.join(table.id, BEN, "Ben")
    await two.tables.seats.autopilot(game.id, ANNA)
    assert len((await one.tables.reader.get(table.id)).players) == 1, "it has heard nothing"
    assert OutboxKind.LOBBY in {item.kind for item in await one.tables.outbox.items(table.id)}
    assert len((await one.tables.reader.get(table.id)).players) == 2
    assert await one.tables.outbox.items(game.id)
    shown, written = [await each.tables.reader.get(game.id) for each in (one, two)]
    assert shown == written


async def test_who_reads_a_table_again_knows_what_happened_before(members: Members) -> None:
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


async def test_a_notice_that_comes_while_a_table_is_read_is_not_overlooked(
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


async def test_who_has_lost_the_lease_stores_nothing_more_for_it(members: Members) -> None:
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
    assert len(await members.lines(table.id)) == 2, "what somebody presses is done all the same"


async def test_nobody_works_for_tables_that_are_not_theirs(members: Members) -> None:
    one, two = members.all
    table = await members.game(one, ANNA, BEN)
    assert one.tables.ownership.owns(table.guild)
    assert not two.tables.ownership.owns(table.guild)
    with pytest.raises(errors.NotOurs), two.tables.on_behalf(table):
        pass
    assert FENCE.get() is None
    assert [item.table for item in await one.tables.outbox.items()]
    assert await two.tables.outbox.items() == []
    # What follows from fenced work is not fenced by its lease.
    fences: list[object] = []
    one.tables.subscribe(lambda _: fences.append(FENCE.get()))
    with one.tables.on_behalf(table):
        await one.tables.play.act(table.id, 0, ("choose", "1"))
    await until(lambda: fences)
    assert fences == [None]


def register(member: Member, done: list[tuple[str, int, int]], *, starts: Any = None) -> None:
    """Its tasks of the kind `test` are noted when they are done, and call `starts` before."""
    work = member.tables._unit_of_work

    async def handle(row: ScheduledRow) -> None:
        if starts is not None:
            await starts()

        async def act() -> None:
            batch = WriteBatch()
            batch.schedule(row.table, row.seat, row.kind, None)
            await work.commit(batch, await work.cache.load(row.table))
            done.append((member.name, row.table, row.seat))

        await work.cache.run_locked(row.table, act)

    member.tables.scheduler.on("test", handle)


async def schedule(members: Members, *tables: int, seats: int = 1) -> None:
    """A task for each of so many seats, one second after the other."""
    batch = WriteBatch()
    for table in tables:
        for seat in range(seats):
            at = members.clock.now() - timedelta(seconds=seats - seat)
            batch.schedule(table, seat, "test", at)
    await members.all[0].store.commit(batch)


async def test_a_task_of_one_who_stalls_is_done_by_the_next_alone(members: Members) -> None:
    one, two = members.all
    table = await members.game(one, ANNA, BEN)
    began, go_on = asyncio.Event(), asyncio.Event()
    done: list[tuple[str, int, int]] = []

    async def stalls() -> None:
        began.set()
        await go_on.wait()

    register(one, done, starts=stalls)
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


async def test_who_loses_a_shard_leaves_the_other_tasks_at_once(members: Members) -> None:
    one, two = members.all
    table = await members.game(one, ANNA, BEN)
    done: list[tuple[str, int, int]] = []
    register(one, done, starts=partial(members.hand_over, 0, two))
    register(two, done)
    await schedule(members, table.id, seats=3)
    assert await one.tables.scheduler.tick() == 1
    assert done == [], "its lease is gone"
    await two.tables.scheduler.tick()
    assert done == [("two", table.id, 1), ("two", table.id, 2)]


async def test_what_was_missed_is_looked_through_afterwards(members: Members) -> None:
    one, two = members.all
    table = await members.lobby(one, ANNA)
    await one.tables.lobby.add_computer(table.id, ANNA)
    one.deafen()
    told: list[int] = []
    one.tables.subscribe(told.append)
    await two.tables.lobby.start(table.id, ANNA)
    assert (await one.tables.reader.get(table.id)).status is Status.LOBBY, "it has heard nothing"
    assert told == []
    one.tables.sharing.drop_all()
    held = one.held.shards()
    assert held is not None
    await one.tables.sharing.take_over(held)
    seat = await one.tables.reader.seat_of(table.id, ANNA)

    async def computer_has_answered() -> bool:
        pending = await one.tables.reader.pending(table.id)
        return {each.seat for each in pending if not each.optional} == {seat}

    await until(computer_has_answered)
    assert table.id in told


async def test_who_was_forgotten_in_one_is_not_brought_back_by_another(members: Members) -> None:
    one, two = members.all
    table = await members.game(one, ANNA, BEN)
    await one.tables.leaving.dissolve(table.id)
    assert (await two.tables.reader.get(table.id)).host == ANNA
    two.deafen()
    await one.tables.results.forget(ANNA, "Someone")
    await two.tables.outbox.acknowledge([], table_id=table.id, thread=77)
    one.tables.sharing.drop_all()
    found = await one.tables.reader.get(table.id)
    assert (found.host, found.thread, sorted(found.names)) == (0, 77, ["Ben", "Someone"])
