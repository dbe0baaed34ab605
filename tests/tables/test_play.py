"""Actions at a table: carried out once and completely, with the right events for each observer."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random

import pytest

from bot.game.contract import SPECTATOR, Event, IllegalAction
from bot.store import EntryRow, Store
from bot.tables import OutboxKind, PromiseStatus, Status, Terms
from bot.tables.core import errors
from bot.tables.core.log import Resigned
from tests.store.database import BOTH, IMPATIENT_MS, WAIT_S
from tests.tables.world import ANNA, BEN, CARA, KEY, World


async def test_events_are_visible_only_to_their_observers(world: World) -> None:
    table, reader = await world.game(ANNA, BEN), world.tables.reader
    await world.act(table.id, 0, "choose 2")
    await world.act(table.id, 1, "gift 0")
    for observer, kinds in (
        (0, ["chose", "chose_number", "offered"]),
        (1, ["chose", "offered"]),
        (SPECTATOR, ["chose"]),
    ):
        events = await reader.visible_events_since(await reader.seen(table.id, observer), 0)
        assert [event.kind for event in events] == kinds
    assert await reader.visible_events_since(await reader.seen(table.id, 0), 2) == []
    (newest,) = await reader.entries(await reader.seen(table.id, 0), 2)
    assert [event.kind for event in newest.events] == ["offered"]


async def test_the_newest_events_of_a_view_do_not_change_later(world: World) -> None:
    table = await world.game(ANNA, BEN, length="long")
    await world.play(table.id, 7, Random(1))

    seen = await world.tables.reader.seen(table.id, SPECTATOR)
    assert seen.seq == 7

    async def newest() -> list[tuple[int, list[Event]]]:
        return [await world.tables.reader.newest(seen, seq) for seq in (5, 7)]

    of_turn, last = before = await newest()
    assert of_turn[0] == 5
    assert of_turn[1][-len(last[1]) :] == last[1] != []
    await world.play(table.id, 3, Random(1))
    assert await newest() == before
    seen = replace(seen, recent=())
    assert await newest() == before
    await world.reopen()
    assert await newest() == before


async def test_events_are_the_same_after_a_restart(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await world.game(ANNA, BEN, length="long")
    events: list[Event] = []
    for seq in range(100):
        await world.play(table.id, 1, Random(seq))
        if seq >= 95:
            events += await world.tables.reader.visible_events_since(
                await world.tables.reader.seen(table.id, 0), seq
            )

    async def logs() -> list[object]:
        reader = world.tables.reader
        return [
            await reader.log(await reader.seen(table.id, observer), 200)
            for observer in (0, 1, SPECTATOR)
        ]

    before = await logs()
    assert (
        await world.tables.reader.visible_events_since(
            await world.tables.reader.seen(table.id, 0), 95
        )
        == events
    )
    await world.reopen()
    assert (
        await world.tables.reader.visible_events_since(
            await world.tables.reader.seen(table.id, 0), 95
        )
        == events
    )
    assert await logs() == before
    whole = await world.tables.reader.log(await world.tables.reader.seen(table.id, 0), 200)
    assert len(whole) == 100

    async def never(_store: Store, _table: int) -> list[EntryRow]:
        raise AssertionError("the whole log was read")

    monkeypatch.setattr(Store, "entries", never)
    last = await world.tables.reader.log(await world.tables.reader.seen(table.id, 0), 3)
    assert last == whole[-3:]
    assert [each.seq for each in last] == [98, 99, 100]


async def test_a_refused_action_changes_nothing(world: World) -> None:
    table = await world.game(ANNA, BEN)
    choices = (await world.tables.reader.seen(table.id, 0)).legal(0, ("choose",))
    assert list(choices.each()) == ["1", "2", "3"]  # type: ignore[union-attr]
    with pytest.raises(IllegalAction):
        (await world.tables.reader.seen(table.id, 0)).legal(0, ("take",))
    for action in ("take 1", "choose 9", "choose", "", "@resign", "setup"):
        # A refused delivery does not count as handled.
        for _ in range(2):
            with pytest.raises(IllegalAction):
                await world.act(table.id, 0, action, delivery="x")
    for decision in ("1", "c0"):
        with pytest.raises(errors.StaleDecision):
            await world.act(table.id, 0, "choose 1", decision=decision)
    # Only its own user may act for a seat.
    seat = await world.tables.reader.seat_of(table.id, ANNA)
    for wrong_user, wrong_seat in ((BEN, seat), (ANNA, 1 - seat), (ANNA, 2), (ANNA, -1)):
        with pytest.raises(errors.Rejected, match="not_your_seat"):
            await world.act(table.id, wrong_seat, "choose 1", user=wrong_user)
    with pytest.raises(errors.Rejected, match="not_seated"):
        await world.tables.reader.seat_of(table.id, CARA)
    assert await world.tables.reader.seq(table.id) == 0
    assert len(await world.actions(table.id)) == 1


async def test_a_game_that_ends_is_finished_and_reveals_its_key(world: World) -> None:
    table = await world.game(ANNA, BEN)
    assert await world.tables.reader.key(table.id) == b""
    await world.play(table.id, 500, Random(2))
    outcome = (await world.tables.reader.seen(table.id, SPECTATOR)).outcome
    assert outcome is not None
    table = await world.tables.reader.get(table.id)
    assert table.status is Status.FINISHED
    assert await world.tables.reader.key(table.id) == KEY
    with pytest.raises(errors.NotPlaying, match="table_over") as error:
        await world.act(table.id, 0, "choose 1")
    assert error.value.facts == {"status": "finished"}
    await world.reopen()
    assert (await world.tables.reader.seen(table.id, SPECTATOR)).outcome == outcome
    assert await world.tables.reader.get(table.id) == table
    over = (await world.tables.reader.seen(table.id, 0)).view.known
    assert over.is_over


async def test_an_action_is_completed_if_its_caller_is_cancelled(world: World) -> None:
    table = await world.game(ANNA, BEN)
    changed = asyncio.Event()
    world.tables.subscribe(lambda _: changed.set())
    acting = asyncio.create_task(world.act(table.id, 0, "choose 1", delivery="x"))
    for _ in range(3):
        await asyncio.sleep(0)
    acting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await acting
    async with asyncio.timeout(WAIT_S):
        await changed.wait()
    assert await world.tables.reader.seq(table.id) == 1
    assert (await world.act(table.id, 0, "choose 1", delivery="x"))[1]
    assert len(await world.actions(table.id)) == 2


@BOTH
async def test_a_locked_database_refuses_changes(world: World) -> None:
    world.database.lock_wait_ms = IMPATIENT_MS
    await world.reopen()
    table, reader = await world.game(ANNA, BEN), world.tables.reader
    before = (await reader.seen(table.id, 0)).view, await world.tables.outbox.items()
    async with world.database.locked():
        for refused in (
            world.act(table.id, 0, "choose 1", delivery="x"),
            world.tables.leaving.resign(table.id, ANNA),
            world.tables.lobby.open("pebbles", ANNA, "Anna", 1, 500),
        ):
            with pytest.raises(errors.StoreUnavailable):
                await refused
        assert ((await reader.seen(table.id, 0)).view, await world.tables.outbox.items()) == before
        assert await reader.get(table.id) == table
    assert not (await world.act(table.id, 0, "choose 1", delivery="x"))[1]


@BOTH
async def test_no_change_is_visible_before_it_is_stored(world: World) -> None:
    table = await world.game(ANNA, BEN)
    async with world.database.locked():
        acting = asyncio.create_task(world.act(table.id, 0, "choose 1"))
        for _ in range(10):
            await asyncio.sleep(0)
            assert ((await world.tables.reader.seen(table.id, 0)).view).known.chosen[0] == 0
        assert not acting.done()
    await acting
    assert ((await world.tables.reader.seen(table.id, 0)).view).known.chosen[0] == 1


async def test_subscribers_are_notified_of_each_change_and_cannot_break_it(world: World) -> None:
    notified: list[int] = []
    failures: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context))
    world.tables.subscribe(lambda table_id: notified.append(1 // 0))
    world.tables.subscribe(notified.append)
    table = await world.game(ANNA, BEN)
    await world.act(table.id, 0, "choose 1")
    await asyncio.sleep(0)
    assert notified == [table.id] * 4
    assert len(failures) == 4


async def test_more_tables_than_fit_in_the_cache_can_be_played(world: World) -> None:
    await world.close()
    world.capacity = 2
    await world.open()
    tables = [await world.game(ANNA, BEN, length="long") for _ in range(4)]
    await asyncio.gather(*(world.play(table.id, 10, Random(table.id)) for table in tables))
    for table in tables:
        assert await world.tables.reader.seq(table.id) == 10
    assert len(world.tables._unit_of_work.cache._loaded) == 2


async def test_a_computer_player_replaces_a_player_who_resigns(world: World) -> None:
    table = await world.game(ANNA, BEN)
    seat = await world.tables.reader.seat_of(table.id, BEN)
    assert seat in {item.seat for item in await world.tables.outbox.items()}
    table = await world.tables.leaving.resign(table.id, BEN, delivery="x")
    assert seat not in {item.seat for item in await world.tables.outbox.items()}
    assert table.status is Status.PLAYING
    player = table.players[seat]
    assert (player.name, player.user, player.policy) == ("Ben", None, "strong")
    assert await world.tables.leaving.resign(table.id, BEN, delivery="x") == table
    seen = await world.tables.reader.seen(table.id, SPECTATOR)
    assert seen.recent[1].events == (Resigned(seat=seat),)
    with pytest.raises(errors.Rejected, match="not_seated"):
        await world.tables.leaving.resign(table.id, BEN)
    await world.reopen()
    assert await world.tables.reader.get(table.id) == table
    await world.play(table.id, 500, Random(1))
    assert await world.status(table.id) is Status.FINISHED


async def test_a_game_is_abandoned_when_no_one_would_play_on(world: World) -> None:
    leaving = world.tables.leaving
    both_left = await world.game(ANNA, BEN)
    await leaving.resign(both_left.id, BEN)
    assert (await leaving.resign(both_left.id, ANNA)).status is Status.ABANDONED
    assert await world.queued(both_left.id, OutboxKind.END) == [None]
    # The last player who has not agreed can resign instead.
    one_left = await world.game(ANNA, BEN)
    await leaving.abandon(one_left.id, ANNA)
    await leaving.resign(one_left.id, BEN)
    await world.tables.scheduler.tick()
    assert await world.status(one_left.id) is Status.ABANDONED
    # A lone person needs no vote.
    alone, _ = await world.against("normal")
    vote = await leaving.abandon(alone, ANNA)
    assert (vote.table.status, vote.missing) == (Status.ABANDONED, ())
    with pytest.raises(errors.NotPlaying, match="table_over"):
        await leaving.abandon(alone, ANNA)


async def test_a_repeated_delivery_gets_the_same_answer_also_after_a_restart(world: World) -> None:
    table = await world.game(ANNA, BEN)
    first, _ = await world.act(table.id, 0, "choose 1", decision="0", delivery="x")
    await world.act(table.id, 1, "choose 1", decision="0", delivery="y")
    for _ in range(2):
        entry, repeated = await world.act(table.id, 0, "choose 1", decision="0", delivery="x")
        assert (entry, repeated) == (first, True)
        await world.reopen()
    assert await world.tables.reader.seq(table.id) == 2


async def test_simultaneous_deliveries_each_act_once(world: World) -> None:
    table = await world.game(ANNA, BEN)
    acted = await asyncio.gather(
        *(world.act(table.id, 0, "gift 1", delivery="x") for _ in range(5))
    )
    assert {entry.seq for entry, _ in acted} == {1}
    assert sorted(repeated for _, repeated in acted) == [False, True, True, True, True]
    acted = await asyncio.gather(
        *(world.act(table.id, seat, "choose 1", decision="0") for seat in (0, 1))
    )
    assert [entry.seq for entry, _ in acted] == [2, 3]
    # Two buttons for the same decision: the second one is too late.
    table = await world.game(ANNA, BEN)
    await world.act(table.id, 0, "choose 1")
    results = await asyncio.gather(
        *(world.act(table.id, 1, f"choose {word}", decision="0") for word in (1, 2)),
        return_exceptions=True,
    )
    assert sorted(type(result).__name__ for result in results) == ["StaleDecision", "tuple"]


async def test_a_lobby_is_opened_once_and_changed_once(world: World) -> None:
    lobby = world.tables.lobby
    opened = await asyncio.gather(
        *(lobby.open("pebbles", ANNA, "Anna", 1, 500, delivery="x") for _ in range(4))
    )
    assert len({table.id for table in opened}) == 1
    await world.reopen()
    lobby, table = world.tables.lobby, opened[0]
    assert await lobby.open("pebbles", ANNA, "Anna", 1, 500, delivery="x") == table
    assert len(await world.tables.reader.find(500)) == 1
    for _ in range(2):
        changed = await lobby.add_computer(table.id, ANNA, "normal", name="Hal", delivery="a")
        assert changed.names[1:] == ("Hal",)
    for _ in range(2):
        assert len((await lobby.join(table.id, BEN, "Ben", delivery="b")).players) == 3
    with pytest.raises(errors.Rejected, match="already_seated"):
        await lobby.join(table.id, BEN, "Ben", delivery="c")
    started = await lobby.start(table.id, ANNA, delivery="d")
    assert await lobby.start(table.id, ANNA, delivery="d") == started


async def test_old_deliveries_are_deleted_after_a_day_and_at_the_start(world: World) -> None:
    table = await world.game(ANNA, BEN)
    await world.act(table.id, 0, "gift 1", delivery="x")
    world.clock.move(hours=23)
    await world.act(table.id, 0, "gift 1", delivery="y")
    assert await world.store.handled("x") is not None
    world.clock.move(hours=2)
    await world.act(table.id, 0, "gift 1")
    assert await world.store.handled("x") is None
    world.clock.move(days=2)
    await world.reopen()
    await world.tables.resume()
    assert await world.store.handled("y") is None


BOTH_WAYS = Terms("I choose 1", "  you\n choose  2 ")


async def promised(world: World, *answers: str) -> int:
    """Start a three-player game in which seat 0 offers seat 1 a gift with promises both ways."""
    table = (await world.game(ANNA, BEN, CARA)).id
    await world.act(table, 0, "gift 1", terms=BOTH_WAYS, delivery=f"gift {table}")
    for answer in answers:
        await world.act(table, 1, answer)
    return table


async def standings(world: World, table_id: int, observer: int = 0) -> list[PromiseStatus]:
    return [each.status for each in (await world.tables.reader.seen(table_id, observer)).promises]


async def test_a_promise_becomes_open_or_lapses_with_its_offer(world: World) -> None:
    expected = {
        await promised(world): PromiseStatus.OFFERED,
        await promised(world, "choose 1"): PromiseStatus.OFFERED,
        await promised(world, "accept 1"): PromiseStatus.OPEN,
        await promised(world, "decline 1"): PromiseStatus.LAPSED,
    }
    for _ in range(2):
        for table_id, standing in expected.items():
            promises = (await world.tables.reader.seen(table_id, 0)).promises
            assert [(each.giver, each.receiver, each.words, each.status) for each in promises] == [
                (0, 1, "I choose 1", standing),
                (1, 0, "you choose 2", standing),
            ]
        await world.reopen()


async def test_a_promise_is_visible_to_those_who_see_the_offer(world: World) -> None:
    table = await promised(world)
    visible = [
        await world.tables.reader.visible_events_since(
            await world.tables.reader.seen(table, seat), 0
        )
        for seat in (0, 1, 2, SPECTATOR)
    ]
    kinds = ["offered", "promised", "promise_asked"]
    assert [[event.kind for event in events] for events in visible] == [kinds, kinds, [], []]
    # Exports depend on the order of the facts.
    assert list(visible[0][1].facts.items()) == [
        *(("id", "1"), ("seat", 0), ("other", 1), ("words", "I choose 1"))
    ]
    assert [await standings(world, table, seat) for seat in (2, SPECTATOR)] == [[], []]
    # After a restart the events come from the log instead of memory.
    await world.reopen()
    assert (
        await world.tables.reader.visible_events_since(await world.tables.reader.seen(table, 1), 0)
        == visible[1]
    )
    entry, repeated = await world.act(table, 0, "gift 1", terms=BOTH_WAYS, delivery=f"gift {table}")
    assert (repeated, list(entry.events)) == (True, visible[0])
    assert len(await standings(world, table)) == 2


async def test_a_refused_promise_makes_no_offer(world: World) -> None:
    table = (await world.lobby(ANNA, BEN)).id
    await world.tables.lobby.add_computer(table, ANNA, "normal", name="Hal")
    started = await world.tables.lobby.start(table, ANNA)
    # The key is fixed, so the seats are always drawn like this.
    assert [player.user for player in started.players] == [BEN, None, ANNA]
    for action, terms, error in (
        ("choose 1", Terms("that"), errors.Rejected),
        ("gift 2", Terms("x" * 201), errors.Rejected),
        ("gift 1", Terms(yours="that"), errors.Rejected),
    ):
        with pytest.raises(error):
            await world.act(table, 0, action, terms=terms)
    assert await world.tables.reader.seq(table) == 0
    assert await standings(world, table) == []
    assert (await world.act(table, 0, "gift 2", terms=Terms("x" * 200)))[0].seq == 1


async def test_only_the_receiver_marks_a_promise_and_only_once(world: World) -> None:
    table = await promised(world)
    giver, receiver, third = [await world.user_at(table, seat) for seat in range(3)]
    mark = world.tables.notes.mark_promise
    with pytest.raises(errors.Rejected, match="promise_closed"):
        await mark(table, receiver, "1", PromiseStatus.KEPT)
    await world.act(table, 1, "accept 1")
    with pytest.raises(errors.Rejected, match="not_your_promise"):
        await mark(table, third, "1", PromiseStatus.KEPT)

    for _ in range(2):
        marked = await mark(table, receiver, "1", PromiseStatus.KEPT, delivery="mark")
        assert (marked.words, marked.status) == ("I choose 1", PromiseStatus.KEPT)
        assert marked.closed == 2
    with pytest.raises(errors.Rejected, match="promise_closed"):
        await mark(table, receiver, "1", PromiseStatus.BROKEN)
    await mark(table, giver, "1", PromiseStatus.BROKEN)
    assert await standings(world, table) == [PromiseStatus.KEPT, PromiseStatus.BROKEN]
